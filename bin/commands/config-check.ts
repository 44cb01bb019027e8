import { maskRtmpUrl, parseRtmpUrl } from '../../broadcast/outputs/rtmp-url.ts';
import { checkFile, listShows, loadConfig, loadSecrets, loadShow } from '../../config/load-config.ts';
import { resolveHome } from '../home.ts';

/** Validates one file, or everything this machine would run with, and prints the latter with secrets masked. */
export async function configCheckCommand(file: string | undefined): Promise<void> {
  if (file !== undefined) {
    process.stdout.write(`${file}: a valid ${await checkFile(file)} file\n`);
    return;
  }
  const { root } = resolveHome(process.env);
  const config = await loadConfig({ home: root, environment: process.env, overrides: {} });
  const secrets = await loadSecrets({ home: root, environment: process.env });
  for (const show of await listShows(root)) await loadShow(show, root);
  const masked = {
    ...config,
    uplinks: config.uplinks.map(({ name, url }) => ({ name, url: maskRtmpUrl(url, parseRtmpUrl(url)) })),
    secrets: { twitch_stream_key: secrets.twitch_stream_key === undefined ? 'not set' : '<set>' },
  };
  process.stdout.write(`${JSON.stringify(masked, null, 2)}\n`);
}

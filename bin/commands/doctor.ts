import { constants } from 'node:fs';
import { access, mkdir, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { loadConfig, loadSecrets, loadShow } from '../../config/load-config.ts';
import { DeviceError, describeError } from '../../engine/errors.ts';
import { listBundles } from '../../systems/kernel/connectome/list-bundles.ts';
import { describeRom } from '../../systems/environment/gameboy/describe-rom.ts';
import { locateCore } from '../../systems/environment/libretro/locate-core.ts';
import { probeEncoders } from '../../broadcast/encode/probe-encoders.ts';
import { resolveHome } from '../home.ts';
import { contentPath } from '../live/compose-session.ts';

/** One line of the go-live checklist. `missing` and `wrong` stop a show; `absent` costs a feature. */
type Finding = {
  readonly name: string;
  readonly state: 'ok' | 'absent' | 'missing' | 'wrong';
  readonly detail: string;
};

const NEEDED_FREE_GB = 5;

/** Prints the checklist; fails when something needed is missing. */
export async function doctorCommand({ json }: { json?: boolean }): Promise<void> {
  const findings: Finding[] = [];
  for (const [name, check] of CHECKS) {
    try {
      findings.push({ name, ...(await check()) });
    } catch (error) {
      findings.push({ name, state: 'wrong', detail: describeError(error) });
    }
  }
  if (json === true) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else
    for (const { name, state, detail } of findings)
      process.stdout.write(`${state.padEnd(8)}${name.padEnd(14)}${detail}\n`);
  const bad = findings.filter(({ state }) => state === 'missing' || state === 'wrong');
  if (bad.length > 0)
    throw new DeviceError('DOCTOR', `not ready: ${bad.map(({ name }) => name).join(', ')}; see above.`);
}

type Check = () => Promise<Omit<Finding, 'name'>>;

const CHECKS: readonly (readonly [string, Check])[] = [
  [
    'runtime',
    () => Promise.resolve({ state: 'ok', detail: `Node ${process.version}, ${availableParallelism()} cores` }),
  ],
  ['home', checkHome],
  ['disk', checkDisk],
  ['configuration', checkConfiguration],
  ['stream key', checkStreamKey],
  ['cartridge', checkCartridge],
  ['core', checkCore],
  ['connectome', checkConnectome],
  ['encoder', checkEncoder],
  ['control port', checkPort],
];

async function checkHome(): Promise<Omit<Finding, 'name'>> {
  const { root } = resolveHome(process.env);
  await mkdir(root, { recursive: true });
  await access(root, constants.W_OK);
  return { state: 'ok', detail: root };
}

async function checkDisk(): Promise<Omit<Finding, 'name'>> {
  const { bavail, bsize } = await statfs(resolveHome(process.env).root);
  const freeGb = (bavail * bsize) / 1e9;
  const detail = `${freeGb.toFixed(1)} GB free`;
  return freeGb < NEEDED_FREE_GB
    ? { state: 'wrong', detail: `${detail}; a day of 720p takes 51 GB` }
    : { state: 'ok', detail };
}

async function checkConfiguration(): Promise<Omit<Finding, 'name'>> {
  const config = await readConfig();
  await loadShow(config.show, resolveHome(process.env).root);
  return { state: 'ok', detail: `show ${config.show}, ${config.picture.size}${config.picture.fps}` };
}

async function checkStreamKey(): Promise<Omit<Finding, 'name'>> {
  const { root } = resolveHome(process.env);
  const secrets = await loadSecrets({ home: root, environment: process.env });
  return secrets.twitch_stream_key === undefined
    ? { state: 'absent', detail: 'none: ./fly live runs locally' }
    : { state: 'ok', detail: 'set: ./fly live goes live on Twitch' };
}

async function checkCartridge(): Promise<Omit<Finding, 'name'>> {
  const show = await loadShow((await readConfig()).show, resolveHome(process.env).root);
  const path = contentPath(show.environment.content);
  if (path === null) return { state: 'ok', detail: `${show.id} needs none` };
  const rom = await describeRom(path);
  if (rom.refusal !== null) return { state: 'wrong', detail: rom.refusal.message };
  return { state: 'ok', detail: `${rom.cartridge?.title ?? ''}, ${rom.fileBytes} bytes` };
}

async function checkCore(): Promise<Omit<Finding, 'name'>> {
  const core = await locateCore({ coresFolder: resolveHome(process.env).cores });
  return core === null
    ? { state: 'absent', detail: 'mGBA not here yet; ./fly live fetches it on Debian-family machines' }
    : { state: 'ok', detail: `mGBA (${core.source})` };
}

async function checkConnectome(): Promise<Omit<Finding, 'name'>> {
  const bundles = await listBundles(resolveHome(process.env).root);
  const unreadable = bundles.filter((bundle) => bundle.kind === 'unreadable');
  if (unreadable.length > 0) {
    return { state: 'wrong', detail: unreadable.map(({ id, reason }) => `${id}: ${reason}`).join('; ') };
  }
  if (bundles.length === 0) return { state: 'absent', detail: 'none yet; ./fly live grows the twin in about 10 s' };
  return { state: 'ok', detail: bundles.map(({ id }) => id).join(', ') };
}

async function checkEncoder(): Promise<Omit<Finding, 'name'>> {
  const { opened, refused } = await probeEncoders();
  const detail = [...opened.map((name) => `${name} opens`), ...refused].join('; ');
  return { state: opened.length === 0 ? 'missing' : 'ok', detail };
}

async function checkPort(): Promise<Omit<Finding, 'name'>> {
  const { port } = (await readConfig()).control;
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  return free
    ? { state: 'ok', detail: `${port} is free` }
    : { state: 'wrong', detail: `${port} is taken; choose another with --port` };
}

function readConfig(): ReturnType<typeof loadConfig> {
  return loadConfig({ home: resolveHome(process.env).root, environment: process.env, overrides: {} });
}

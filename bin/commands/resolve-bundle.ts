import { access } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { ConfigError } from '../../engine/errors.ts';
import { nearest } from '../../engine/nearest.ts';
import { ensureTwin } from '../../systems/kernel/connectome/grow-in-worker.ts';
import { listBundles } from '../../systems/kernel/connectome/list-bundles.ts';
import { resolveHome } from '../home.ts';
import { TWIN_SEED } from '../live/load-connectomes.ts';
import { createTerminal } from '../live/terminal.ts';

/**
 * Folder of a bundle: `twin` (grown when absent), a folder name under `connectomes`, or a path.
 * @throws ConfigError CONNECTOME_NAME when there is none
 */
export async function resolveBundle(name: string): Promise<string> {
  const home = resolveHome(process.env);
  if (name === 'twin') {
    const terminal = createTerminal(process.stderr, () => performance.now());
    return ensureTwin({
      home: home.root,
      seed: TWIN_SEED,
      onProgress: ({ edgesDrawn, total }) => terminal.progress('growing a brain', edgesDrawn, total.edges),
    });
  }
  const isPath = isAbsolute(name) || basename(name) !== name;
  const folder = isPath ? name : join(home.connectomes, name);
  try {
    await access(join(folder, 'meta.json'));
  } catch (cause) {
    const known = ['twin', ...(await listBundles(home.root)).map(({ id }) => id)];
    const guess = nearest(name, known);
    throw new ConfigError(
      'CONNECTOME_NAME',
      `there is no connectome ${folder}. ${guess === null ? `Known: ${known.join(', ')}.` : `Did you mean ${guess}?`}`,
      { cause },
    );
  }
  return folder;
}

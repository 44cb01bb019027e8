import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VisionProbe } from '../probe-vision.ts';

/** Ours, beside a bundle's files: what its vision probe found, so that a show need not run it again. */
export const VISION_FILE = 'vision.json';

/**
 * What an earlier probe of this very brain found; null when there is none.
 * @param identity of its graph and its kernel's constants
 */
export async function readVision(folder: string, identity: string): Promise<VisionProbe | null> {
  try {
    const found = JSON.parse(await readFile(join(folder, VISION_FILE), 'utf8')) as VisionProbe & { identity: string };
    const { differs, effect, noise } = found;
    const isProbe = typeof differs === 'boolean' && typeof effect === 'number' && typeof noise === 'number';
    return isProbe && found.identity === identity ? { differs, effect, noise } : null;
  } catch {
    return null; // none yet, or one that cannot be read: the probe runs again
  }
}

/** Keeps what a probe found. A bundle folder that cannot be written only means that the probe runs again. */
export async function writeVision(folder: string, identity: string, probe: VisionProbe): Promise<void> {
  const temporary = join(folder, `.${VISION_FILE}.${process.pid}`);
  try {
    await writeFile(temporary, `${JSON.stringify({ identity, ...probe })}\n`);
    await rename(temporary, join(folder, VISION_FILE));
  } catch {
    return; // stated above
  }
}

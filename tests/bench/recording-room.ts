import { statfs } from 'node:fs/promises';
import { ConfigError } from '../../engine/errors.ts';

/** 6,000 + 160 kbit/s of a 1080p recording, with its container. */
const RECORDED_MB_PER_MINUTE = 50;
const MB = 1_048_576;

/** @throws ConfigError BENCH_DISK when the folder's disk has no room for so many minutes of recording */
export async function requireDisk(folder: string, minutes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeMb = (bavail * bsize) / MB;
  const neededMb = minutes * RECORDED_MB_PER_MINUTE;
  if (freeMb >= neededMb) return;
  throw new ConfigError(
    'BENCH_DISK',
    `${minutes} minutes record up to ${neededMb} MB and ${folder} has ${Math.floor(freeMb)} MB free. Set TMPDIR to a larger disk, or take fewer --minutes.`,
  );
}

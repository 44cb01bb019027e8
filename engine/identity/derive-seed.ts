import { ConfigError, InvariantError } from '../errors.ts';
import { isId, isU64 } from './scalars.ts';
import { sha256Bytes } from './digest.ts';

/** Names the algorithm inside composition identity; any byte that changes needs another name. */
export const SEED_DERIVATION = 'flybrain/seed-derivation-v1';

const MAX_ROUNDS = 4;

/**
 * One agent's own random seed from the run's master seed (spec: session.md 3.3, brain.md 11): the first of the eight
 * big-endian words of a SHA-256 that is not zero, read as int32. Never 0, where xorshift32 stands still.
 * @param masterSeed U64 as decimal text
 * @throws ConfigError SEED when an argument is malformed
 */
export function deriveSeed(masterSeed: string, agentId: string): number {
  if (!isU64(masterSeed)) {
    throw new ConfigError(
      'SEED',
      `master seed ${JSON.stringify(masterSeed)} is no whole number from 0 to 2^64 - 1; change the seed.`,
    );
  }
  if (!isId(agentId)) {
    throw new ConfigError('SEED', `agent id ${JSON.stringify(agentId)} is not lowercase a-z 0-9 . _ - (1 to 64).`);
  }
  return seedFromMaterial(`${SEED_DERIVATION}\n${masterSeed}\n${agentId}\n`, sha256Bytes);
}

/** One agent of a composition; `seed` absent: derived from the master seed. */
export type SeededAgent = { readonly id: string; readonly seed?: number | undefined };

/**
 * Seeds of a composition, in the order given. Two agents on one seed would draw the same noise; a composition that
 * wants that declares it (spec: session.md 3.3).
 * @param equalSeeds the composition declares that agents may share a seed
 * @throws ConfigError SEED when an agent id is repeated; SEED_EQUAL naming both agents and the seed
 */
export function resolveSeeds(masterSeed: string, agents: readonly SeededAgent[], equalSeeds: boolean): number[] {
  const repeated = agents.find(({ id }, at) => agents.findIndex((other) => other.id === id) !== at);
  if (repeated !== undefined) {
    throw new ConfigError(
      'SEED',
      `agent id ${repeated.id} is used twice; equal ids would be the same fly. Rename one.`,
    );
  }
  const seeds = agents.map(({ id, seed }) => seed ?? deriveSeed(masterSeed, id));
  if (!equalSeeds) refuseEqualSeeds(agents, seeds);
  return seeds;
}

/** A kernel draws from the low 32 bits, so seeds that share those are equal. */
function refuseEqualSeeds(agents: readonly SeededAgent[], seeds: readonly number[]): void {
  for (let i = 1; i < seeds.length; i++) {
    const twin = seeds.findIndex((seed) => (seed | 0) === (seeds[i]! | 0));
    if (twin === i) continue;
    throw new ConfigError(
      'SEED_EQUAL',
      `agents ${agents[twin]!.id} and ${agents[i]!.id} both have seed ${seeds[twin]! | 0}: they would draw the same ` +
        'noise. Change one seed, or set equal_seeds = true in the show file when that is the experiment.',
    );
  }
}

/**
 * The rounds of the derivation over any digest: material, then material followed by `1` LF, `2` LF, `3` LF, each added
 * to the last. @throws InvariantError SEED_EXHAUSTED when four digests were all zero
 */
export function seedFromMaterial(material: string, digest: (text: string) => Uint8Array): number {
  let text = material;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const bytes = digest(text);
    const words = new DataView(bytes.buffer, bytes.byteOffset, 32);
    for (let lane = 0; lane < 8; lane++) {
      const seed = words.getInt32(lane * 4, false);
      if (seed !== 0) return seed;
    }
    text += `${round}\n`;
  }
  throw new InvariantError('SEED_EXHAUSTED', `seed derivation: ${MAX_ROUNDS} digests had only zero words.`);
}

import type { Brain } from '../../engine/contract/brain.ts';
import { DataError } from '../../engine/errors.ts';
import type { Readout } from '../../engine/contract/readout.ts';
import { decodeFlysimEnvelope, flysimClocks, flysimMismatch } from './envelope-flysim.ts';
import type { FlysimClocks, FlysimSave } from './envelope-flysim.ts';

export type FlysimTarget = {
  /** What runs here, seven segments joined by `/` (spec: brain.md 9.5). */
  readonly compatibility: string;
  /** SHA-256 of the cartridge that runs here. */
  readonly romHash: string;
  /** Adapters whose files this one can take, and the one that the operator named (spec: session.md 17.4). */
  readonly migration: { readonly migratable: readonly string[]; readonly allowed: string | null };
  readonly brain: Pick<Brain, 'exportState' | 'importState'>;
  readonly readout: Pick<Readout, 'importState'>;
};

/**
 * Takes a peer's whole run: its profile must be the one that runs here, then brain and readout are written. A refusal
 * at any point leaves both as they were, also when only the readout's half is bad (spec: brain.md 9.5, 10.2).
 * @returns the file and its place in this program's clocks, for the world's half
 * @throws DataError FLYSIM_PROFILE with the first difference; ENVELOPE_*, FLYSIM, BRAIN_STATE and the readout's refusals
 */
export function importFlysim(
  bytes: Uint8Array,
  { compatibility, romHash, migration, brain, readout }: FlysimTarget,
): { readonly save: FlysimSave; readonly clocks: FlysimClocks } {
  const save = decodeFlysimEnvelope(bytes);
  const difference =
    flysimMismatch(save.compatibility, compatibility, migration) ??
    (save.romHash === romHash ? null : `it was saved with cartridge ${save.romHash}, here is ${romHash}`);
  if (difference !== null) {
    throw new DataError(
      'FLYSIM_PROFILE',
      `FLYSIM01 file: ${difference}. Nothing was restored; use a file of this profile.`,
    );
  }
  const clocks = flysimClocks(save);
  const before = brain.exportState();
  brain.importState(save.brain);
  try {
    readout.importState(save.readout);
  } catch (error) {
    brain.importState(before);
    throw error;
  }
  return { save, clocks };
}

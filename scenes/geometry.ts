import type { RetinaColumns, ViewerGeometry } from '../engine/contract/connectome.ts';

/** What the stage knows about one agent's brain besides its snapshots. Chosen by identity, never by size (show.md 59). */
export type StageGeometry = {
  readonly neurons: number;
  readonly viewer: ViewerGeometry;
  readonly roles: ReadonlyMap<string, Uint32Array>;
  readonly retina: RetinaColumns;
};

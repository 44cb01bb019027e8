import type { BundleOrigin } from '../../bundle-origin.ts';

/** `origin.json` of an imported FAFB: what a viewer reads, and what the licence asks for (spec: brain.md 2). */
export type FafbOrigin = BundleOrigin & {
  readonly licence: string;
  readonly attribution: string;
  readonly citations: readonly string[];
  readonly modifications: readonly string[];
};

export const FAFB_DATASET = 'FlyWire FAFB Codex v783';

const CITATIONS = [
  'Dorkenwald et al. 2024, doi:10.1038/s41586-024-07558-y',
  'Schlegel et al. 2024, doi:10.1038/s41586-024-07686-5',
  'Matsliah et al. 2024, doi:10.1038/s41586-024-07981-1',
];

/** @param published whether all five exports have the published checksums */
export function describeFafb(published: boolean): FafbOrigin {
  return {
    origin: 'measured',
    name: published ? 'FlyWire FAFB v783' : 'FlyWire FAFB v783 format, files not verified',
    seed: null,
    generator: 'import-fafb-1',
    credit:
      'FlyWire/Codex FAFB v783, CC BY-NC 4.0, modified, no endorsement implied. ' +
      'Dorkenwald et al. 2024 (10.1038/s41586-024-07558-y), Schlegel et al. 2024 (10.1038/s41586-024-07686-5), ' +
      'Matsliah et al. 2024 (10.1038/s41586-024-07981-1)',
    licence: 'CC BY-NC 4.0, https://creativecommons.org/licenses/by-nc/4.0/ (non-commercial use only)',
    attribution:
      'Data: FlyWire, from Codex, release FAFB v783. FlyWire and Codex endorse neither this program nor its use.',
    citations: CITATIONS,
    modifications: [
      'neurons renumbered by ascending root id; rows of other tables without such a neuron left out',
      'rows of one neuron pair added up over neuropils; pairs of several transmitters are MIXED',
      'counts signed by transmitter (GABA and GLUT negative, all others positive) and limited to 32,767',
      'coordinates averaged for each neuron',
      'populations named from the published annotations; command and macro pools are ours, no anatomy',
      'a sample of the edges is drawn as fibres',
    ],
  };
}

/** A place in half-brain coordinates: x outwards from the middle, y up, z towards the viewer. */
export type Region = {
  readonly at: readonly [number, number, number];
  readonly radius: readonly [number, number, number];
};

export type LarvaGroup = {
  /** 0 afferent, 1 internal, 2 output (spec: brain.md 1.7). Sensory and ascending neurons bring signals in. */
  readonly viewerClass: 0 | 1 | 2;
  /** Where its neurons are drawn. Proportions are ours: the table has no coordinates. */
  readonly region: Region;
};

/**
 * The table's 18 groups (`simple_group`). Outputs of a larval brain are the neurons that descend to the nerve cord
 * (dVNC) or to the suboesophageal zone (dSEZ) and those of the ring gland (RGN), after Winding et al. 2023.
 */
export const LARVA_GROUPS: Readonly<Record<string, LarvaGroup>> = {
  sensories: { viewerClass: 0, region: { at: [0.5, -0.5, 0.1], radius: [0.32, 0.14, 0.1] } },
  ascendings: { viewerClass: 0, region: { at: [0.14, -0.92, -0.05], radius: [0.1, 0.12, 0.05] } },
  PNs: { viewerClass: 1, region: { at: [0.42, -0.2, 0.12], radius: [0.16, 0.13, 0.1] } },
  'PNs-somato': { viewerClass: 1, region: { at: [0.24, -0.42, 0], radius: [0.14, 0.16, 0.1] } },
  LNs: { viewerClass: 1, region: { at: [0.46, -0.06, 0.16], radius: [0.14, 0.1, 0.08] } },
  KCs: { viewerClass: 1, region: { at: [0.5, 0.4, -0.02], radius: [0.14, 0.15, 0.1] } },
  MBINs: { viewerClass: 1, region: { at: [0.32, 0.28, 0.06], radius: [0.08, 0.08, 0.06] } },
  MBONs: { viewerClass: 1, region: { at: [0.3, 0.46, 0.08], radius: [0.1, 0.1, 0.08] } },
  'MB-FBNs': { viewerClass: 1, region: { at: [0.52, 0.64, 0], radius: [0.2, 0.1, 0.1] } },
  FFNs: { viewerClass: 1, region: { at: [0.68, 0.22, 0], radius: [0.1, 0.16, 0.1] } },
  LHNs: { viewerClass: 1, region: { at: [0.8, 0.34, 0.02], radius: [0.14, 0.22, 0.12] } },
  CNs: { viewerClass: 1, region: { at: [0.66, 0.5, 0.06], radius: [0.13, 0.13, 0.1] } },
  'pre-dVNCs': { viewerClass: 1, region: { at: [0.3, 0.1, 0], radius: [0.2, 0.18, 0.14] } },
  'pre-dSEZs': { viewerClass: 1, region: { at: [0.26, -0.1, 0.06], radius: [0.15, 0.12, 0.1] } },
  dVNCs: { viewerClass: 2, region: { at: [0.2, -0.7, 0], radius: [0.12, 0.22, 0.07] } },
  dSEZs: { viewerClass: 2, region: { at: [0.12, -0.46, 0.1], radius: [0.1, 0.2, 0.08] } },
  RGNs: { viewerClass: 2, region: { at: [0.1, 0.66, 0.08], radius: [0.08, 0.1, 0.06] } },
  unk: { viewerClass: 1, region: { at: [0.52, 0.28, -0.06], radius: [0.46, 0.48, 0.24] } },
};

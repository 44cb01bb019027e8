/** Which table of the release a file is. */
export type SourceTable = 'annotations' | 'transmitters' | 'weights' | 'weightsTracedOnly' | 'bodyStats';

export type SourceFile = {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  /** Published by other readers of the same files; null where nobody did (spec: brain.md 3.2). */
  readonly sha256: string | null;
};

export const MALECNS_RELEASE = 'MaleCNS v1.0 minconf-0.5';

/** The bulk tables of the release (spec: brain.md 3.2). */
export const MALECNS_SOURCES: Readonly<Record<SourceTable, SourceFile>> = {
  annotations: {
    file: 'body-annotations-male-cns-v1.0-minconf-0.5.feather',
    bytes: 14_483_314,
    rows: 211_577,
    sha256: '2177e246113e4cfbf1e7772ec37c6da1955ff22e8063d0b1f833101f99a9a3b2',
  },
  transmitters: {
    file: 'body-neurotransmitters-male-cns-v1.0.feather',
    bytes: 43_282_834,
    rows: 1_835_518,
    sha256: '95c9289220663abeb3409f3ad9e5a7f8a53f8093f5139d15502cd08da8879621',
  },
  weights: {
    file: 'connectome-weights-male-cns-v1.0-minconf-0.5.feather',
    bytes: 1_051_241_946,
    rows: 151_856_684,
    sha256: 'e35da783d1c686b2b58b3b87cd6a403ae43bfcfba8bff28e08ef752c1a56afc1',
  },
  weightsTracedOnly: {
    file: 'connectome-weights-male-cns-v1.0-minconf-0.5-traced-only.feather',
    bytes: 508_025_642,
    rows: 25_563_197,
    sha256: '9b3beab17bad5f618be3f2c02d3139a8d07b822565919c013f1e5506d93e604b',
  },
  bodyStats: {
    file: 'body-stats-male-cns-v1.0-minconf-0.5.feather',
    bytes: 778_062_826,
    rows: 88_384_522,
    sha256: null,
  },
};

/** Inventories that others report for this release, to reconcile ours with (spec: brain.md 3.1, 3.2). */
export const REPORTED_INVENTORIES = {
  codexSuperclass: 166_700,
  neuprintNeuron: 176_422,
  traced: 165_122,
  withType: 164_506,
  withSoma: 139_662,
} as const;

export const MALECNS_CREDIT: string =
  'MaleCNS v1.0, FlyEM Janelia and the Drosophila Connectomics Group Cambridge, CC BY 4.0; ' +
  'signs, roles and filters are ours, no endorsement implied.';

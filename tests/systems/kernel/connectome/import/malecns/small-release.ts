import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Float64, Int32, Int64, Utf8 } from 'apache-arrow';
import type { DataType } from 'apache-arrow';
import { MALECNS_SOURCES } from '../../../../../../systems/kernel/connectome/import/malecns/release.ts';
import { writeFeather } from '../../../../../bench/write-feather.ts';
import type { FeatherColumn } from '../../../../../bench/write-feather.ts';

/** One annotated body; left-out fields are empty. */
export type SmallBody = {
  readonly id: bigint;
  readonly superclass?: string;
  readonly status?: string;
  readonly class?: string;
  readonly type?: string;
  readonly somaSide?: string;
  readonly rootSide?: string;
  readonly hex?: readonly [number, number];
  readonly soma?: string;
  readonly consensus?: string;
  readonly predicted?: string;
  readonly confidence?: number;
};

export type SmallRelease = {
  readonly bodies: readonly SmallBody[];
  /** Source, target, contacts. */
  readonly pairs: readonly (readonly [bigint, bigint, number])[];
};

/** Six neurons and one body without a superclass (99); ids are neither sorted nor small. */
export const SMALL: SmallRelease = {
  bodies: [
    {
      id: 1n << 45n,
      superclass: 'cb_intrinsic',
      class: 'Kenyon_Cell',
      type: 'KCg-m',
      consensus: 'acetylcholine',
      somaSide: 'L',
    },
    { id: 20n, superclass: 'cb_intrinsic', class: 'MBON', type: 'MBON01', consensus: 'gaba', somaSide: 'R' },
    {
      id: 10n,
      superclass: 'ol_intrinsic',
      type: 'L1',
      hex: [3, 5],
      somaSide: 'L',
      consensus: 'glutamate',
      soma: '[1, 2, 3]',
    },
    {
      id: 11n,
      superclass: 'ol_intrinsic',
      type: 'L1',
      hex: [4, 5],
      rootSide: 'R',
      consensus: 'unclear',
      predicted: 'gaba',
      confidence: 0.9,
    },
    { id: 12n, superclass: 'descending_neuron', type: 'DNa02', somaSide: 'L', predicted: 'gaba', confidence: 0.2 },
    { id: 13n, superclass: 'cb_motor', somaSide: 'M', consensus: 'histamine' },
    { id: 99n, status: 'Orphan' },
  ],
  pairs: [
    [1n << 45n, 20n, 12],
    [20n, 12n, 4],
    [10n, 11n, 7],
    [11n, 1n << 45n, 5],
    [12n, 13n, 1],
    [13n, 13n, 2],
    [13n, 99n, 6],
    [77n, 10n, 3],
    [77n, 99n, 1],
  ],
};

/** Replaces columns of the written tables by name, or drops them with null. */
export type Damage = {
  /** One more column of the annotation table. */
  readonly extra?: FeatherColumn;
  readonly annotations?: Readonly<Record<string, FeatherColumn | null>>;
  readonly transmitters?: Readonly<Record<string, FeatherColumn | null>>;
  readonly weights?: Readonly<Record<string, FeatherColumn | null>>;
};

/** Writes the three tables under their published names into `folder`. */
export async function writeRelease(
  folder: string,
  { bodies, pairs }: SmallRelease = SMALL,
  damage: Damage = {},
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const text = (name: string, of: (body: SmallBody) => string | undefined): FeatherColumn =>
    column(
      name,
      new Utf8(),
      bodies.map((body) => of(body) ?? null),
    );
  const whole = (name: string, values: readonly bigint[]): FeatherColumn =>
    column(name, new Int64(), BigInt64Array.from(values));
  const write = (
    table: keyof typeof MALECNS_SOURCES,
    columns: readonly FeatherColumn[],
    changed: Readonly<Record<string, FeatherColumn | null>> = {},
    extra?: FeatherColumn,
  ): Promise<void> => {
    const kept: (FeatherColumn | null | undefined)[] = columns.map((one) =>
      Object.hasOwn(changed, one.name) ? changed[one.name]! : one,
    );
    const sound = [...kept, extra].filter((one) => one !== null && one !== undefined);
    return writeFeather(join(folder, MALECNS_SOURCES[table].file), sound);
  };
  await write(
    'annotations',
    [
      whole(
        'bodyId',
        bodies.map(({ id }) => id),
      ),
      text('status', ({ status, superclass }) => status ?? (superclass === undefined ? undefined : 'Traced')),
      text('superclass', (body) => body.superclass),
      text('class', (body) => body.class),
      text('subclass', () => undefined),
      text('type', (body) => body.type),
      text('somaSide', (body) => body.somaSide),
      text('rootSide', (body) => body.rootSide),
      text('somaLocation', (body) => body.soma),
      column(
        'assignedOlHex1',
        new Float64(),
        bodies.map(({ hex }) => hex?.[0] ?? null),
      ),
      column(
        'assignedOlHex2',
        new Float64(),
        bodies.map(({ hex }) => hex?.[1] ?? null),
      ),
    ],
    damage.annotations,
    damage.extra,
  );
  await write(
    'transmitters',
    [
      whole(
        'body',
        bodies.map(({ id }) => id),
      ),
      text('predicted_nt', (body) => body.predicted),
      column(
        'predicted_nt_confidence',
        new Float64(),
        bodies.map(({ confidence }) => confidence ?? null),
      ),
      text('consensus_nt', (body) => body.consensus),
    ],
    damage.transmitters,
  );
  await write(
    'weightsTracedOnly',
    [
      whole(
        'body_pre',
        pairs.map(([pre]) => pre),
      ),
      whole(
        'body_post',
        pairs.map(([, post]) => post),
      ),
      column(
        'weight',
        new Int32(),
        Int32Array.from(pairs, ([, , weight]) => weight),
      ),
    ],
    damage.weights,
  );
  return folder;
}

export function column(name: string, type: DataType, values: FeatherColumn['values']): FeatherColumn {
  return { name, type, values };
}

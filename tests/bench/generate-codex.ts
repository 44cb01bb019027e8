import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export type CodexSize = {
  readonly neurons: number;
  /** Distinct (pre, post) pairs. */
  readonly edges: number;
  /** Connection rows; a pair has one row a neuropil. */
  readonly rows: number;
  readonly seed: number;
};

/** What an import of the files must find. */
export type CodexTruth = { readonly neurons: number; readonly edges: number; readonly contacts: number };

/** Neurons and edges of FAFB v783 (spec: brain.md 2); 3,869,878 is the length of the published connection table. */
export const FULL_SIZE: CodexSize = { neurons: 139_255, edges: 2_700_513, rows: 3_869_878, seed: 1 };

const OUT_DEGREE_SIGMA = 1.15;
const CHUNK_CHARACTERS = 1 << 18;
const NEUROPILS = ['ME_R', 'ME_L', 'LO_R', 'LO_L', 'MB_CA_R', 'SLP_L', 'GNG', 'AVLP_R'];
const TRANSMITTERS = ['ACH', 'GABA', 'GLUT', 'SER', 'DA', 'OCT'];
/** flow, super_class, class, sub_class, and how many of 1,000 neurons (spec: twin.md 2, rounded). */
const KINDS: readonly (readonly [string, string, string, string, number])[] = [
  ['intrinsic', 'optic', 'optic_lobe_intrinsic', 't4_neuron', 559],
  ['intrinsic', 'central', '', '', 195],
  ['afferent', 'sensory', 'visual', '', 122],
  ['intrinsic', 'visual_projection', '', '', 55],
  ['intrinsic', 'central', 'Kenyon_Cell', 'KCg-m', 37],
  ['afferent', 'ascending', 'AN', '', 13],
  ['efferent', 'descending', '', '', 9],
  ['afferent', 'sensory_ascending', '', '', 4],
  ['intrinsic', 'central', 'DAN', '', 3],
  ['intrinsic', 'central', 'MBON', '', 2],
  ['efferent', 'motor', 'brain_motor_neuron', 'proboscis_motor_neuron', 1],
];

/**
 * Writes five seeded files in the formats of the Codex exports (CRLF, ids of 18 digits, one connection row a neuropil).
 * A graph of the right size and file format, and a model of nothing: for time and memory only.
 */
export async function generateCodex(folder: string, size: CodexSize): Promise<CodexTruth> {
  await mkdir(folder, { recursive: true });
  const draw = createDraw(size.seed);
  const ids = drawIds(draw, size.neurons);
  const truth = { neurons: size.neurons, edges: 0, contacts: 0 };
  await writeTable(join(folder, 'classification.csv.gz'), classificationRows(draw, ids));
  await writeTable(join(folder, 'consolidated_cell_types.csv.gz'), cellTypeRows(draw, ids));
  await writeTable(join(folder, 'coordinates.csv.gz'), coordinateRows(draw, ids));
  await writeTable(join(folder, 'column_assignment.csv.gz'), columnRows(draw, ids));
  await writeTable(join(folder, 'connections.csv.gz'), connectionRows(draw, ids, size, truth));
  return truth;
}

type Draw = { below(limit: number): number; gauss(): number };

function createDraw(seed: number): Draw {
  let state = seed || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return {
    below: (limit) => next() % limit,
    gauss: () => {
      let sum = -6;
      for (let k = 0; k < 12; k++) sum += next() / 2 ** 32;
      return sum;
    },
  };
}

/** Ascending, like 720575940621039145; all beyond 2^53. */
function drawIds(draw: Draw, neurons: number): string[] {
  let tail = 596_125_868;
  const widest = Math.max(2, Math.floor(800_000_000 / neurons / 10));
  return Array.from({ length: neurons }, () => `720575940${(tail += 1 + draw.below(widest))}`);
}

function* classificationRows(draw: Draw, ids: readonly string[]): Generator<string> {
  yield 'root_id,flow,super_class,class,sub_class,hemilineage,side,nerve';
  for (const id of ids) {
    let share = draw.below(1_000);
    const kind = KINDS.find((candidate) => (share -= candidate[4]) < 0)!;
    yield `${id},${kind[0]},${kind[1]},${kind[2]},${kind[3]},,${draw.below(2) === 0 ? 'left' : 'right'},`;
  }
}

function* cellTypeRows(draw: Draw, ids: readonly string[]): Generator<string> {
  yield 'root_id,primary_type,additional_type(s)';
  const types = ['T4a', 'PAM01', 'DNa01', 'DNa02', 'DNp09', 'MDN', 'KCg-m', 'L1'];
  for (const id of ids) yield `${id},${types[draw.below(types.length)]},`;
}

function* coordinateRows(draw: Draw, ids: readonly string[]): Generator<string> {
  yield 'root_id,position,supervoxel_id';
  for (const id of ids) {
    for (let row = 0; row < 1 + draw.below(3); row++) {
      const position = `[${draw.below(900_000)} ${draw.below(400_000)} ${draw.below(250_000)}]`;
      yield `${id},${position},8${draw.below(1_000_000_000)}`;
    }
  }
}

function* columnRows(draw: Draw, ids: readonly string[]): Generator<string> {
  yield 'root_id,hemisphere,type,column_id,x,y,p,q';
  const columns = Math.min(1_572, ids.length);
  for (let column = 0; column < columns; column++) {
    for (const type of ['L1', 'L2', 'Mi1']) {
      const id = ids[draw.below(ids.length)];
      const side = column < columns / 2 ? 'left' : 'right';
      yield `${id},${side},${type},${column},${draw.below(40) - 20},${draw.below(40) - 20},0,0`;
    }
  }
}

function* connectionRows(
  draw: Draw,
  ids: readonly string[],
  { edges, rows }: CodexSize,
  truth: { edges: number; contacts: number },
): Generator<string> {
  yield 'pre_root_id,post_root_id,neuropil,syn_count,nt_type';
  const degrees = drawDegrees(draw, ids.length, edges);
  const seenBy = new Int32Array(ids.length).fill(-1);
  let written = 0;
  for (let source = 0; source < ids.length; source++) {
    const usual = TRANSMITTERS[Math.min(draw.below(9), TRANSMITTERS.length - 1)]!;
    for (let k = 0; k < degrees[source]!; k++) {
      let target = draw.below(ids.length);
      while (seenBy[target] === source) target = draw.below(ids.length);
      seenBy[target] = source;
      truth.edges++;
      for (const upTo = Math.floor((truth.edges * rows) / edges); written < upTo; written++) {
        const count = 5 + (draw.below(4) === 0 ? draw.below(60) : draw.below(8));
        truth.contacts += count;
        const label = draw.below(50) === 0 ? TRANSMITTERS[draw.below(TRANSMITTERS.length)]! : usual;
        yield `${ids[source]},${ids[target]},${NEUROPILS[draw.below(NEUROPILS.length)]},${count},${label}`;
      }
    }
  }
}

/** Log-normal shares of exactly `edges`, none wider than a quarter of all neurons. */
function drawDegrees(draw: Draw, neurons: number, edges: number): Uint32Array {
  const shares = Float64Array.from({ length: neurons }, () => Math.exp(OUT_DEGREE_SIGMA * draw.gauss()));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const degrees = new Uint32Array(neurons);
  let reached = 0;
  let dealt = 0;
  for (let i = 0; i < neurons; i++) {
    reached += shares[i]!;
    const upTo = i === neurons - 1 ? edges : Math.round((reached / total) * edges);
    degrees[i] = Math.min(upTo - dealt, neurons >> 2);
    dealt += degrees[i]!;
  }
  return degrees;
}

async function writeTable(path: string, lines: Iterable<string>): Promise<void> {
  function* chunks(): Generator<string> {
    let text = '';
    for (const line of lines) {
      text += `${line}\r\n`;
      if (text.length < CHUNK_CHARACTERS) continue;
      yield text;
      text = '';
    }
    yield text;
  }
  await pipeline(chunks, createGzip({ level: 1 }), createWriteStream(path));
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('usage: generate-codex.ts FOLDER');
  process.stdout.write(`${JSON.stringify(await generateCodex(folder, FULL_SIZE))}\n`);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { DataError } from '../../../../../engine/errors.ts';
import { sha256 } from '../../fingerprint.ts';

export type Hemisphere = 'L' | 'R' | 'C';

export type LarvaNeuron = {
  /** As printed in the table; below 2^53 in this release. */
  readonly id: number;
  readonly name: string;
  /** One of the table's `simple_group`s. */
  readonly group: string;
  /** The table's finer classes, split at `;`. */
  readonly classes: readonly string[];
  readonly hemisphere: Hemisphere;
  /** Shared by the two neurons of a left-right pair; null without a partner. */
  readonly pair: number | null;
};

export type LarvaTables = {
  /** Ascending ids. */
  readonly neurons: readonly LarvaNeuron[];
  readonly pre: Float64Array;
  readonly post: Float64Array;
  readonly contacts: Uint32Array;
  /** File name -> SHA-256 of its bytes. */
  readonly sourceFiles: Readonly<Record<string, string>>;
};

const NEURON_COLUMNS = ['id', 'name', 'simple_group', 'class1', 'hemisphere', 'pair_id'] as const;
const EDGE_COLUMNS = ['pre', 'post', 'count'] as const;
const NEURONS_FILE = 'neurons.csv.gz';
const EDGES_FILE = 'edges.csv.gz';

/**
 * Reads `neurons.csv.gz` and `edges.csv.gz` of the larval brain (spec: twin.md 5).
 * @throws DataError LARVA_FILE, LARVA_COLUMN, LARVA_ROW, naming the file, the line and the value
 */
export async function readLarvaTables(folder: string): Promise<LarvaTables> {
  const sourceFiles: Record<string, string> = {};
  const neurons: LarvaNeuron[] = [];
  const seen = new Set<number>();
  await readTable(folder, NEURONS_FILE, NEURON_COLUMNS, sourceFiles, (fields, fail) => {
    const neuron = parseNeuron(fields, fail);
    if (seen.has(neuron.id)) throw fail(`id ${neuron.id} is listed twice`);
    seen.add(neuron.id);
    neurons.push(neuron);
  });
  neurons.sort((a, b) => a.id - b.id);
  const pre: number[] = [];
  const post: number[] = [];
  const contacts: number[] = [];
  await readTable(folder, EDGES_FILE, EDGE_COLUMNS, sourceFiles, ([source, target, count], fail) => {
    pre.push(parseWhole(source, 'pre', fail));
    post.push(parseWhole(target, 'post', fail));
    const contact = parseWhole(count, 'count', fail);
    if (contact === 0 || contact > 0xffff_ffff) throw fail(`count is ${contact}, not a number of contacts`);
    contacts.push(contact);
  });
  return {
    neurons,
    pre: Float64Array.from(pre),
    post: Float64Array.from(post),
    contacts: Uint32Array.from(contacts),
    sourceFiles,
  };
}

type Fail = (reason: string) => DataError;

/** Streams one gzip-compressed CSV file; `take` gets the wanted fields in the order of `columns`. */
async function readTable(
  folder: string,
  file: string,
  columns: readonly string[],
  sourceFiles: Record<string, string>,
  take: (fields: readonly string[], fail: Fail) => void,
): Promise<void> {
  const path = join(folder, file);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new DataError('LARVA_FILE', `${path} cannot be read. Put ${NEURONS_FILE} and ${EDGES_FILE} there.`, {
      cause,
    });
  });
  sourceFiles[file] = sha256(bytes);
  let where: number[] | null = null;
  let line = 0;
  const fail: Fail = (reason) => new DataError('LARVA_ROW', `${path} line ${line}: ${reason}. ${REMEDY}`);
  const parser = parse({ relax_column_count: false, skip_empty_lines: true, bom: true });
  try {
    await pipeline(Readable.from([bytes]), createGunzip(), parser, async (rows: AsyncIterable<string[]>) => {
      for await (const row of rows) {
        line++;
        if (where === null) where = locate(row, columns, path);
        else
          take(
            where.map((at) => row[at]!),
            fail,
          );
      }
    });
  } catch (cause) {
    if (cause instanceof DataError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataError('LARVA_FILE', `${path} is not a whole gzip CSV file (after line ${line}): ${why}. ${REMEDY}`, {
      cause,
    });
  }
  if (where === null) throw new DataError('LARVA_FILE', `${path} is empty. ${REMEDY}`);
}

function locate(header: readonly string[], columns: readonly string[], path: string): number[] {
  return columns.map((name) => {
    const at = header.indexOf(name);
    if (at >= 0) return at;
    throw new DataError('LARVA_COLUMN', `${path} has no column "${name}" but ${header.join(', ')}. ${REMEDY}`);
  });
}

function parseNeuron([id, name, group, class1, hemisphere, pair]: readonly string[], fail: Fail): LarvaNeuron {
  if (hemisphere !== 'L' && hemisphere !== 'R' && hemisphere !== 'C') {
    throw fail(`hemisphere is "${hemisphere}", not L, R or C`);
  }
  return {
    id: parseWhole(id, 'id', fail),
    name: name!.trim(),
    group: group!,
    classes: class1!.split(';'),
    hemisphere,
    pair: parsePair(pair, fail),
  };
}

/** Negative numbers say "no partner": -1 does, and the two others in the release stand alone as well. */
function parsePair(text: string | undefined, fail: Fail): number | null {
  return /^-\d+$/.test(text ?? '') ? null : parseWhole(text, 'pair_id', fail);
}

function parseWhole(text: string | undefined, column: string, fail: Fail): number {
  const value = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw fail(`${column} is "${text}", not a whole number below 2^53`);
}

const REMEDY = 'Get the table again.';

import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { DataError, DeviceError, describeError } from '../../engine/errors.ts';
import { firstDifference } from '../../engine/trace/first-difference.ts';
import type { TraceDifference } from '../../engine/trace/first-difference.ts';
import type { TraceStep } from '../../engine/trace/trace-step.ts';

/** First line of a trace: what ran, and from where. Two traces may be compared whatever theirs say. */
export type TraceHeader = {
  readonly form: 'fly-trace-v1';
  readonly release: string;
  readonly runtime: string;
  readonly showId: string;
  readonly taskId: string;
  readonly stepNs: string;
  readonly world: { readonly kind: string; readonly backend: string; readonly content: string };
  readonly agents: readonly {
    readonly agentId: string;
    readonly portId: string;
    readonly seed: number;
    readonly kernel: string;
    readonly plasticity: string;
    readonly connectome: string;
  }[];
};

/**
 * A trace file is JSON lines: the header, then one line per transition,
 * `{"digest": chain, "step": n, "agents": [...], "world": {...}}`. `chain` is the first 16 hex digits of the SHA-256 of
 * the chain before it followed by the line's JSON without `digest`; the first one follows the empty text. Two runs that
 * did the same up to a step have the same chain there.
 */
export type TraceWriter = { write(step: TraceStep): void; close(): void; readonly digest: string };

const FLUSH_AT_CHARACTERS = 1 << 18;

/** @throws DeviceError TRACE_FILE when the file cannot be made or written */
export function openTraceWriter(path: string, header: TraceHeader): TraceWriter {
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (cause) {
      throw new DeviceError('TRACE_FILE', `${path}: ${describeError(cause)}; choose a file that can be written.`, {
        cause,
      });
    }
  };
  const file = attempt(() => openSync(path, 'w'));
  let text = `${JSON.stringify(header)}\n`;
  let chain = '';
  const flush = (): void => {
    attempt(() => writeSync(file, text));
    text = '';
  };
  return {
    write({ step, agents, world }) {
      const body = JSON.stringify({ step, agents, world });
      chain = nextChain(chain, body);
      text += `{"digest":"${chain}",${body.slice(1)}\n`;
      if (text.length > FLUSH_AT_CHARACTERS) flush();
    },
    close() {
      flush();
      closeSync(file);
    },
    get digest() {
      return chain;
    },
  };
}

export type TraceComparison = {
  readonly headers: readonly [TraceHeader, TraceHeader];
  /** Steps both did alike, from the first on. */
  readonly equalSteps: number;
  readonly difference: TraceDifference | null;
  /** The one that ends first while the other goes on; null when both end together or parted before. */
  readonly endsFirst: 'a' | 'b' | null;
};

/** Reads both until they part. @throws DataError TRACE_FORMAT naming file and line */
export async function compareTraceFiles(pathA: string, pathB: string): Promise<TraceComparison> {
  const a = readTrace(pathA);
  const b = readTrace(pathB);
  try {
    const headers = [await headerOf(a, pathA), await headerOf(b, pathB)] as const;
    const agentIds = headers[0].agents.map(({ agentId }) => agentId);
    for (let equalSteps = 0; ; equalSteps++) {
      const [left, right] = [await stepOf(a), await stepOf(b)];
      if (left === null || right === null) {
        const endsFirst = left === right ? null : left === null ? 'a' : 'b';
        return { headers, equalSteps, difference: null, endsFirst };
      }
      const difference = firstDifference(left, right, agentIds);
      if (difference !== null) return { headers, equalSteps, difference, endsFirst: null };
    }
  } finally {
    await a.return(undefined);
    await b.return(undefined);
  }
}

async function* readTrace(path: string): AsyncGenerator<TraceHeader | TraceStep, undefined> {
  let number = 0;
  let chain = '';
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  try {
    for await (const line of lines) {
      number += 1;
      if (number === 1) {
        yield parseLine(path, number, line) as TraceHeader;
        continue;
      }
      const { digest, ...step } = parseLine(path, number, line) as TraceStep & { digest?: string };
      chain = nextChain(chain, JSON.stringify(step));
      if (digest !== chain) throw malformed(path, number, 'its digest does not fit: a line was changed, lost or added');
      yield step;
    }
  } catch (cause) {
    if (cause instanceof DataError) throw cause;
    throw new DataError('TRACE_FORMAT', `${path}: ${describeError(cause)}; record it again.`, { cause });
  } finally {
    lines.close();
  }
}

type TraceLines = AsyncGenerator<TraceHeader | TraceStep, undefined>;

async function headerOf(lines: TraceLines, path: string): Promise<TraceHeader> {
  const { value } = await lines.next();
  if (value !== undefined && 'form' in value && value.form === 'fly-trace-v1') return value;
  throw malformed(path, 1, 'it is no fly-trace-v1 header');
}

async function stepOf(lines: TraceLines): Promise<TraceStep | null> {
  const { value } = await lines.next();
  return (value as TraceStep | undefined) ?? null;
}

function parseLine(path: string, number: number, line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw malformed(path, number, 'it is not JSON; the recording was cut off', { cause });
  }
  throw malformed(path, number, 'it is no object');
}

function nextChain(chain: string, body: string): string {
  return createHash('sha256').update(chain).update(body).digest('hex').slice(0, 16);
}

function malformed(path: string, line: number, what: string, options?: ErrorOptions): DataError {
  return new DataError('TRACE_FORMAT', `${path} line ${line}: ${what}. Record it again.`, options);
}

import { InvariantError } from './errors.ts';

/** What a system may wait for. Everything else in a transition is synchronous. */
export type AwaitPoint = 'kernel' | 'environment' | 'deadline';

export type SchedulePhase = 'ready' | 'prepare' | 'control' | 'apply' | 'observe' | 'commit' | 'boundary' | 'idle';

/** Order of the phases within one transition (spec: session.md 7). */
export const SCHEDULE_PHASES: readonly SchedulePhase[] = [
  'ready',
  'prepare',
  'control',
  'apply',
  'observe',
  'commit',
  'boundary',
  'idle',
];

/** One named step of the tick with its contract. */
export type SystemEntry<World, Data extends string = string> = {
  readonly name: string;
  /** Row numbers of session.md 7 that this system owns. */
  readonly rows: readonly number[];
  readonly phase: SchedulePhase;
  readonly run: (world: World) => void | Promise<void>;
  /** Written earlier in this transition, or given at boot. */
  readonly reads?: readonly Data[];
  /** Read as the previous transition left it. */
  readonly carries?: readonly Data[];
  readonly writes?: readonly Data[];
  readonly awaits?: AwaitPoint;
};

/**
 * Checks the contracts of a schedule and returns it.
 * @param given data that exists before the first transition
 * @throws InvariantError SCHEDULE naming the systems: an unknown phase order, a read nobody writes, a read before its
 *   writer, two writers that do not know of each other, a cycle, or one name used twice
 */
export function checkSchedule<World, Data extends string>(
  entries: readonly SystemEntry<World, Data>[],
  given: readonly Data[],
): readonly SystemEntry<World, Data>[] {
  refuseRepeatedNames(entries);
  refusePhaseOrder(entries);
  refuseCycles(entries);
  const writers = new Map<Data, string[]>();
  const everWritten = new Set<Data>([...given, ...entries.flatMap((entry) => entry.writes ?? [])]);
  for (const entry of entries) {
    for (const data of entry.reads ?? []) {
      if (writers.has(data) || given.includes(data)) continue;
      const later = entries.find((other) => other.writes?.includes(data));
      throw refuse(
        later
          ? `${entry.name} reads ${data} before ${later.name} writes it; move it, or declare "carries" for the old value`
          : `${entry.name} reads ${data}, which no system writes`,
      );
    }
    for (const data of entry.carries ?? []) {
      if (!everWritten.has(data)) throw refuse(`${entry.name} carries ${data}, which no system writes`);
    }
    for (const data of entry.writes ?? []) {
      const earlier = writers.get(data);
      const buildsOn = entry.reads?.includes(data) === true;
      if (earlier && !buildsOn) {
        throw refuse(`${earlier.join(' and ')} and ${entry.name} both write ${data}; the later one must read it too`);
      }
      writers.set(data, [...(earlier ?? []), entry.name]);
    }
  }
  return entries;
}

/** The schedule as a page of text: order, phase, rows of the spec, await point, reads and writes. */
export function formatSchedule(entries: readonly SystemEntry<never>[]): string {
  const width = Math.max(...entries.map((entry) => entry.name.length));
  return entries
    .map((entry, index) => {
      const facts = [
        entry.awaits ? `awaits ${entry.awaits}` : '',
        entry.reads?.length ? `reads ${entry.reads.join(', ')}` : '',
        entry.carries?.length ? `carries ${entry.carries.join(', ')}` : '',
        entry.writes?.length ? `writes ${entry.writes.join(', ')}` : '',
      ].filter((fact) => fact !== '');
      const rows = `[${entry.rows.join(', ')}]`.padEnd(8);
      return `${String(index + 1).padStart(2)}  ${entry.phase.padEnd(8)}  ${entry.name.padEnd(width)}  ${rows}  ${facts.join(' | ')}`;
    })
    .join('\n');
}

function refuseRepeatedNames(entries: readonly SystemEntry<never>[]): void {
  const seen = new Set<string>();
  for (const { name } of entries) {
    if (seen.has(name)) throw refuse(`two systems are called ${name}`);
    seen.add(name);
  }
}

function refusePhaseOrder(entries: readonly SystemEntry<never>[]): void {
  for (let i = 1; i < entries.length; i++) {
    const before = entries[i - 1]!;
    const entry = entries[i]!;
    if (SCHEDULE_PHASES.indexOf(entry.phase) < SCHEDULE_PHASES.indexOf(before.phase)) {
      throw refuse(`${entry.name} (${entry.phase}) stands after ${before.name} (${before.phase})`);
    }
  }
}

/** A cycle: each system of a ring reads, in this same transition, what the next one of the ring writes first. */
function refuseCycles(entries: readonly SystemEntry<never>[]): void {
  const firstWriter = new Map<string, number>();
  entries.forEach((entry, index) => {
    for (const data of entry.writes ?? []) if (!firstWriter.has(data)) firstWriter.set(data, index);
  });
  const needs = entries.map((entry, index) =>
    (entry.reads ?? []).flatMap((data) => {
      const writer = firstWriter.get(data);
      return writer === undefined || writer === index ? [] : [writer];
    }),
  );
  const state = new Uint8Array(entries.length);
  const path: number[] = [];
  const visit = (index: number): void => {
    if (state[index] === 2) return;
    if (state[index] === 1) {
      const ring = [...path.slice(path.indexOf(index)), index].map((at) => entries[at]!.name);
      throw refuse(`${ring.join(' needs ')}; break the ring with "carries"`);
    }
    state[index] = 1;
    path.push(index);
    for (const next of needs[index]!) visit(next);
    path.pop();
    state[index] = 2;
  };
  for (let i = 0; i < entries.length; i++) visit(i);
}

function refuse(why: string): InvariantError {
  return new InvariantError('SCHEDULE', `schedule refused: ${why}.`);
}

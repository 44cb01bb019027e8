import { EDGES, KINDS, Kind, NEURONS } from './cell-kinds.ts';
import { createContactTable } from './contacts.ts';
import { createMushroomContacts } from './mushroom-contacts.ts';
import type { MushroomContacts } from './mushroom-contacts.ts';
import { drawTarget } from './draw-target.ts';
import type { TargetSource } from './draw-target.ts';
import type { FixedRows } from './fixed-rows.ts';
import { isNegative } from './twin-cells.ts';
import { PAIR_STRENGTH, WIRING } from './wiring-rules.ts';

export type TwinEdges = { readonly indptr: Uint32Array; readonly targets: Uint32Array; readonly weights: Int16Array };

/** Called after every few thousand rows; counts are exact at that moment. */
export type EdgeProgress = (neuronsPlaced: number, edgesDrawn: number) => void;

const REPORT_EVERY_ROWS = 2_048;
const TRIES_PER_EDGE = 48;
/** Share of edges, in 256ths, that answer an edge drawn before; chance pairs add the rest of 0.14 (twin.md 1). */
const ANSWER_SHARE = 32;

/** Log-normal part of a contact count; overall mean about 12 with a heavy tail (spec: twin.md 1). */
const USUAL_CONTACTS = createContactTable(3.35, 1.06);
/**
 * Draws every row in index order, target-ascending as the real table is. A row starts with its fixed
 * targets; the rest follows the kind's rules; no pair repeats and nothing targets itself.
 */
export function drawEdges(
  from: TargetSource,
  fixed: FixedRows,
  degrees: Uint32Array,
  onProgress: EdgeProgress,
): TwinEdges {
  const { cells } = from;
  const indptr = new Uint32Array(NEURONS + 1);
  for (let i = 0; i < NEURONS; i++) indptr[i + 1] = indptr[i]! + degrees[i]!;
  const edges: TwinEdges = { indptr, targets: new Uint32Array(EDGES), weights: new Int16Array(EDGES) };
  const seen = new Int32Array(NEURONS).fill(-1);
  const answers = createAnswers();
  const mushroom = createMushroomContacts(from.seed);
  for (let source = 0; source < NEURONS; source++) {
    drawRow(from, fixed, edges, seen, answers, source);
    weighRow(from, edges, mushroom, source);
    const kind = cells.kind[source]!;
    if (ANSWERED[kind] === 1) answers.note(source, edges.targets, indptr[source]!, indptr[source + 1]!);
    if (source % REPORT_EVERY_ROWS === REPORT_EVERY_ROWS - 1) onProgress(source + 1, indptr[source + 1]!);
  }
  onProgress(NEURONS, EDGES);
  return edges;
}

/** Kinds whose partners are fixed by statistics neither answer nor are answered. */
const ANSWERED = KINDS.map((_, kind): number =>
  kind === Kind.Kenyon || kind === Kind.Mbon || kind === Kind.Dan || kind === Kind.Apl || kind === Kind.AlProjection
    ? 0
    : 1,
);

function drawRow(
  from: TargetSource,
  fixed: FixedRows,
  { indptr, targets }: TwinEdges,
  seen: Int32Array,
  answers: Answers,
  source: number,
): void {
  const { cells, pools, random } = from;
  const { rules, upTo } = WIRING[cells.kind[source]!]!;
  const end = indptr[source + 1]!;
  const canAnswer = ANSWERED[cells.kind[source]!] === 1;
  let at = indptr[source]!;
  seen[source] = source;
  for (let f = fixed.starts[source]!; f < fixed.starts[source + 1]!; f++) {
    targets[at++] = fixed.targets[f]!;
    seen[fixed.targets[f]!] = source;
  }
  while (at < end) {
    let target = -1;
    const word = random.next();
    if (canAnswer && word >>> 24 < ANSWER_SHARE) target = answers.pick(source, word & 15);
    if (target < 0 || seen[target] === source) {
      let rule = 0;
      while (upTo[rule]! <= (word & 65_535)) rule++;
      target = -1;
      for (let tries = 0; tries < TRIES_PER_EDGE; tries++) {
        const drawn = drawTarget(from, source, rules[rule]!);
        if (drawn < 0 || seen[drawn] === source || (random.next() & 255) >= pools.attraction[drawn]!) continue;
        target = drawn;
        break;
      }
      if (target < 0) target = anyTarget(from, source, seen);
    }
    targets[at++] = target;
    seen[target] = source;
  }
  targets.subarray(indptr[source], end).sort();
}

/** When a rule's list is used up: any unspecific neuron of its surroundings. */
function anyTarget({ cells, pools, random }: TargetSource, source: number, seen: Int32Array): number {
  const kinds = cells.fieldX[source]! >= 0 ? WIDE_SPILL : CENTRAL_SPILL;
  for (;;) {
    const list = pools.byHalf[2 * kinds[random.below(kinds.length)]! + cells.half[source]!]!;
    const target = list[random.below(list.length)]!;
    if (seen[target] !== source) return target;
  }
}

const WIDE_SPILL = [Kind.WideField, Kind.MotionDetector, Kind.MedullaOn];
const CENTRAL_SPILL = [Kind.CentralOn, Kind.CentralOff];

function weighRow({ cells, random }: TargetSource, edges: TwinEdges, mushroom: MushroomContacts, source: number): void {
  const { indptr, targets, weights } = edges;
  const kind = cells.kind[source]!;
  const sign = isNegative(cells.transmitter[source]!) ? -1 : 1;
  const strength = KINDS[kind]!.strength;
  for (let e = indptr[source]!; e < indptr[source + 1]!; e++) {
    const word = random.next();
    const pair = kind * KINDS.length + cells.kind[targets[e]!]!;
    const dealt = mushroom.next(pair);
    const contacts = dealt > 0 ? dealt : USUAL_CONTACTS.draw(word, (strength * PAIR_STRENGTH[pair]!) >> 8);
    weights[e] = sign * contacts;
  }
}

type Answers = {
  /** Remembers who spoke to whom. */
  note(source: number, targets: Uint32Array, start: number, end: number): void;
  /** One of the newest sixteen neurons that target `source`, -1 when there is none. */
  pick(source: number, skip: number): number;
};

function createAnswers(): Answers {
  const head = new Int32Array(NEURONS).fill(-1);
  const next = new Int32Array(EDGES);
  const speaker = new Uint32Array(EDGES);
  return {
    note(source, targets, start, end) {
      for (let e = start; e < end; e++) {
        next[e] = head[targets[e]!]!;
        head[targets[e]!] = e;
        speaker[e] = source;
      }
    },
    pick(source, skip) {
      let e = head[source]!;
      for (let n = skip; n > 0 && e >= 0 && next[e]! >= 0; n--) e = next[e]!;
      return e < 0 ? -1 : speaker[e]!;
    },
  };
}

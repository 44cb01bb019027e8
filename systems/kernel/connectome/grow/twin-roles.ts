import { dealMacroRoles } from '../macro-roles.ts';
import { Kind, NEURONS, Side, SuperClass } from './cell-kinds.ts';
import { BACKWARD_INDICES } from './order-cells.ts';
import { superClassOf } from './twin-cells.ts';
import type { TwinCells } from './twin-cells.ts';
import { retinaNeurons } from './twin-retina.ts';

export type TwinRoles = {
  /** For `meta.json`, names sorted (spec: brain.md 1.2). */
  readonly meta: Readonly<Record<string, readonly number[]>>;
  /** For `circuit-roles.json`, frozen order (spec: brain.md 1.2). */
  readonly circuits: Readonly<Record<string, readonly number[]>>;
};

/** Sizes of the named populations that no class fixes (spec: brain.md 2). */
const PROBOSCIS_NEURONS = 24;
const REWARD_NEURONS = 307;

/** All 51 populations with their published sizes; lists ascend, except the retina's, which is in column order. */
export function assignRoles(cells: TwinCells): TwinRoles {
  const of = (keep: (i: number) => boolean): number[] => {
    const list: number[] = [];
    for (let i = 0; i < NEURONS; i++) if (keep(i)) list.push(i);
    return list;
  };
  const ofKind = (kind: number): number[] => of((i) => cells.kind[i] === kind);
  const descending = ofKind(Kind.Descending);
  const motor = ofKind(Kind.Motor);
  const mbon = ofKind(Kind.Mbon);
  const free = descending.filter((i) => !BACKWARD_INDICES.includes(i));
  const left = free.filter((i) => cells.side[i] === Side.Left);
  const right = free.filter((i) => cells.side[i] === Side.Right);

  const meta: Record<string, readonly number[]> = { backward: [...BACKWARD_INDICES] };
  for (let pool = 0; pool < 8; pool++) meta[`command_${pool}`] = descending.filter((i) => i % 8 === pool);
  meta['descending'] = descending;
  meta['forward'] = [middle(right, 0.5), middle(left, 0.5)].sort((a, b) => a - b);
  meta['motor'] = motor;
  meta['proboscis'] = motor.filter((_, k) => k % 4 === 1).slice(0, PROBOSCIS_NEURONS);
  meta['reward_pam'] = ofKind(Kind.Dan).slice(12, 12 + REWARD_NEURONS);
  meta['steer_left'] = [middle(left, 0.35), middle(left, 0.65)];
  meta['steer_right'] = [middle(right, 0.35), middle(right, 0.65)];
  meta['visual_l1'] = Array.from(retinaNeurons(cells));

  const sensory = of((i) => {
    const superClass = superClassOf(cells.kind[i]!);
    return superClass === SuperClass.Sensory || superClass === SuperClass.SensoryAscending;
  });
  return {
    meta,
    circuits: { sensory, motor, descending, kenyon: ofKind(Kind.Kenyon), mbon, ...dealMacroRoles(mbon, motor) },
  };
}

function middle(list: readonly number[], share: number): number {
  return list[Math.floor(list.length * share)]!;
}

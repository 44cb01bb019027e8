import { dealMacroRoles } from '../../macro-roles.ts';
import type { CodexNeurons } from './read-neurons.ts';

export type FafbRoles = {
  /** For `meta.json`, names sorted (spec: brain.md 1.2). */
  readonly meta: Readonly<Record<string, readonly number[]>>;
  /** For `circuit-roles.json`, frozen order (spec: brain.md 1.2). */
  readonly circuits: Readonly<Record<string, readonly number[]>>;
};

/** Spec: brain.md 2, rule 4. */
const COMMAND_POOLS = 8;
const STEERING_TYPES: readonly string[] = ['DNa01', 'DNa02'];

/**
 * The named populations, each ascending, except the retina's, which keeps its column order (spec: brain.md 2, rule 4).
 * A population without a neuron is left out: an empty list would pass for a capability.
 * @param types cell type of every neuron
 */
export function assignRoles(neurons: CodexNeurons, types: readonly string[], visualIndices: Uint32Array): FafbRoles {
  const { superClass, class: cls, subClass, side } = neurons;
  const count = neurons.index.ids.length;
  const where = (keep: (neuron: number) => boolean): number[] => {
    const list: number[] = [];
    for (let neuron = 0; neuron < count; neuron++) if (keep(neuron)) list.push(neuron);
    return list;
  };
  const isLeft = (neuron: number): boolean => side[neuron]!.toLowerCase().startsWith('left');
  const steering = where((i) => STEERING_TYPES.includes(types[i]!));
  const descending = where((i) => superClass[i] === 'descending');
  const motor = where((i) => superClass[i] === 'motor' || cls[i] === 'brain_motor_neuron');
  const mbon = where((i) => cls[i] === 'MBON');

  const meta: Record<string, readonly number[]> = {
    backward: where((i) => types[i] === 'MDN'),
    descending,
    forward: where((i) => types[i] === 'DNp09'),
    motor,
    proboscis: where((i) => subClass[i] === 'proboscis_motor_neuron'),
    reward_pam: where((i) => cls[i] === 'DAN' && types[i]!.startsWith('PAM')),
    steer_left: steering.filter(isLeft),
    steer_right: steering.filter((i) => !isLeft(i)),
    visual_l1: Array.from(visualIndices),
  };
  for (let pool = 0; pool < COMMAND_POOLS; pool++) {
    meta[`command_${pool}`] = descending.filter((i) => i % COMMAND_POOLS === pool);
  }
  const circuits = {
    sensory: where((i) => superClass[i] === 'sensory' || superClass[i] === 'sensory_ascending'),
    motor,
    descending,
    kenyon: where((i) => cls[i] === 'Kenyon_Cell'),
    mbon,
    ...dealMacroRoles(mbon, motor),
  };
  return {
    meta: populated(Object.entries(meta).sort(([a], [b]) => (a < b ? -1 : 1))),
    circuits: populated(Object.entries(circuits)),
  };
}

function populated(roles: readonly [string, readonly number[]][]): Record<string, readonly number[]> {
  return Object.fromEntries(roles.filter(([, members]) => members.length > 0));
}

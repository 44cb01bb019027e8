import { dealMacroRoles } from '../../macro-roles.ts';
import type { LarvaNeuron } from './read-larva-tables.ts';

export type LarvaRoles = {
  /** For `meta.json`, names sorted (spec: brain.md 1.2). */
  readonly meta: Readonly<Record<string, readonly number[]>>;
  /** For `circuit-roles.json`. */
  readonly circuits: Readonly<Record<string, readonly number[]>>;
};

/** Command pools of a readout; a descending neuron joins pool index mod 8 (spec: brain.md 2). */
const COMMAND_POOLS = 8;

/**
 * Populations by the table's groups. Legacy names where a group plays that part, `larva.<group>` for each group as the
 * table has it. The table names no motor, steering or dopamine neurons, so `motor`, `forward` and the like are absent;
 * `reward_pam` is all mushroom-body input neurons (MBIN), of which dopamine neurons are a part.
 */
export function assignLarvaRoles(neurons: readonly LarvaNeuron[]): LarvaRoles {
  const of = (keep: (neuron: LarvaNeuron) => boolean): number[] =>
    neurons.flatMap((neuron, index) => (keep(neuron) ? [index] : []));
  const inGroup = (...groups: string[]): number[] => of(({ group }) => groups.includes(group));

  const descending = inGroup('dVNCs', 'dSEZs');
  const mbon = inGroup('MBONs');
  const circuits = {
    sensory: of(({ classes }) => classes.includes('sens')),
    descending,
    kenyon: inGroup('KCs'),
    mbon,
    ...dealMacroRoles(mbon, []),
  };
  const roles: Record<string, number[]> = {
    ascending: inGroup('ascendings'),
    descending,
    reward_pam: inGroup('MBINs'),
    ring_gland: inGroup('RGNs'),
  };
  for (let pool = 0; pool < COMMAND_POOLS; pool++) {
    roles[`command_${pool}`] = descending.filter((index) => index % COMMAND_POOLS === pool);
  }
  for (const group of new Set(neurons.map((neuron) => neuron.group))) roles[`larva.${group}`] = inGroup(group);
  const filled = Object.entries(roles).filter(([, members]) => members.length > 0);
  const meta = Object.fromEntries(filled.sort(([a], [b]) => (a < b ? -1 : 1)));
  return { meta, circuits: Object.fromEntries(Object.entries(circuits).filter(([, list]) => list.length > 0)) };
}

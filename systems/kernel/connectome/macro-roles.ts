import { MACRO_ROLES } from '../../readout/presets.ts';

/** Deals the sorted union of output neurons of the mushroom body and motor neurons round-robin (spec: brain.md 2). */
export function dealMacroRoles(mbon: readonly number[], motor: readonly number[]): Record<string, number[]> {
  const pool = [...new Set([...mbon, ...motor])].sort((a, b) => a - b);
  const roles: Record<string, number[]> = {};
  for (const name of MACRO_ROLES) roles[name] = [];
  pool.forEach((neuron, position) => roles[MACRO_ROLES[position % MACRO_ROLES.length]!]!.push(neuron));
  return roles;
}

import { dealMacroRoles } from '../../macro-roles.ts';

/** Changes whenever the same populations would be dealt otherwise. */
export const READOUT_PARTITION = 'command-mod-8-macro-31-1';

const COMMAND_POOLS = 8;

/**
 * The task's readout pools: a partition for pressing buttons, not anatomy (spec: brain.md 3.6, 14). A descending neuron
 * joins command pool index mod 8; mushroom-body output and brain motor neurons are dealt to the macro pools.
 */
export function partitionReadout(
  roles: Readonly<Record<string, readonly number[]>>,
): Record<string, readonly number[]> {
  const descending = roles['brain.descending'] ?? [];
  const pools: Record<string, readonly number[]> = {};
  for (let pool = 0; pool < COMMAND_POOLS; pool++) {
    pools[`command_${pool}`] = descending.filter((index) => index % COMMAND_POOLS === pool);
  }
  Object.assign(pools, dealMacroRoles(roles['mb.output'] ?? [], roles['brain.motor'] ?? []));
  return Object.fromEntries(Object.entries(pools).filter(([, members]) => members.length > 0));
}

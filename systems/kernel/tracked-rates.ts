import type { Connectome } from '../../engine/contract/connectome.ts';
import { ConfigError } from '../../engine/errors.ts';

/** Two 32-bit mask words per neuron (spec: brain.md 4.5). */
export const MAX_RATE_ROLES = 64;

const SINGLE_ROLES = new Set(['steer_left', 'steer_right', 'forward', 'backward', 'proboscis', 'reward_pam']);

export type TrackedRates = {
  readonly roles: readonly string[];
  /** List length per role, repeats included. */
  readonly sizes: Uint32Array;
  /** Bit `r` of neuron `i` when it belongs to role `r`, for r < 32. */
  readonly lowMask: Uint32Array;
  /** The same for roles 32 to 63. */
  readonly highMask: Uint32Array;
};

/**
 * Which populations a brain reports and which neuron counts for which (spec: brain.md 4.5). A neuron listed twice
 * counts once per spike, while the size is the list length.
 * @throws ConfigError RATE_ROLES above 64 populations
 */
export function trackRates(connectome: Connectome, rateRoles?: readonly string[]): TrackedRates {
  const roles = rateRoles
    ? rateRoles.filter((name) => connectome.roles.has(name))
    : [...connectome.roles.keys()].filter(isTrackedByDefault);
  if (roles.length > MAX_RATE_ROLES) {
    throw new ConfigError(
      'RATE_ROLES',
      `${connectome.name} tracks ${roles.length} populations; the kernel counts ${MAX_RATE_ROLES}. Name fewer in rateRoles.`,
    );
  }
  const sizes = new Uint32Array(roles.length);
  const lowMask = new Uint32Array(connectome.neurons);
  const highMask = new Uint32Array(connectome.neurons);
  roles.forEach((name, role) => {
    const members = connectome.roles.get(name)!;
    const mask = role < 32 ? lowMask : highMask;
    sizes[role] = members.length;
    for (const neuron of members) mask[neuron] = mask[neuron]! | (1 << (role & 31));
  });
  return { roles, sizes, lowMask, highMask };
}

function isTrackedByDefault(name: string): boolean {
  return name.startsWith('command_') || name.startsWith('macro_') || SINGLE_ROLES.has(name);
}

import type { PlasticityState } from '../../engine/contract/brain.ts';
import type { PlasticityParameters } from './plasticity-parameters.ts';

/** Float32 storage of the default limits overshoots them by up to 2.4e-8 (spec: brain.md 6.6). */
const GAIN_TOLERANCE = 0.000_001;

/**
 * Why `state` cannot be written into a brain with these plastic edges, or null when it can (spec: brain.md 6.6). The
 * caller writes only after a null.
 */
export function plasticityStateFault(
  state: PlasticityState,
  expected: { readonly version: string; readonly topology: number; readonly slots: number },
  parameters: PlasticityParameters,
): string | null {
  const { version, topology, slots } = expected;
  if (state.version !== version) return `plasticity version ${state.version}, this brain has ${version}`;
  if (state.topology !== topology) return `plastic topology ${state.topology}, this brain has ${topology}`;
  for (const name of ['gains', 'traces', 'touched'] as const) {
    if (state[name].length !== slots) return `${state[name].length} ${name}, this brain has ${slots} plastic edges`;
  }
  if (typeof state.enabled !== 'boolean') return 'a learning switch that is not a boolean';
  if (!Number.isInteger(state.updates) || state.updates < 0) return `${state.updates} updates`;
  if (!Number.isFinite(state.signal) || Math.abs(state.signal) > 1) return `signal ${state.signal}`;
  const reach = Math.max(1 - parameters.minGain, parameters.maxGain - 1) + GAIN_TOLERANCE;
  for (let slot = 0; slot < slots; slot++) {
    const gain = state.gains[slot]!;
    const trace = state.traces[slot]!;
    const touched = state.touched[slot]!;
    if (!(Math.abs(gain - 1) <= reach)) return `gain ${gain} of plastic edge ${slot}`;
    if (!(Math.abs(trace) <= 1)) return `trace ${trace} of plastic edge ${slot}`;
    if (!Number.isFinite(touched) || touched < 0) return `touched ${touched} of plastic edge ${slot}`;
  }
  return null;
}

import type { PortControl, PortDescriptor } from './environment.ts';
import type { Decision } from './readout.ts';

/**
 * Turns one decision into the controls of one port. It has no authority to invent a winner: with an empty decision
 * every button is up (spec: session.md 11).
 */
export type Executor = { apply(decision: Decision, port: PortDescriptor): PortControl };

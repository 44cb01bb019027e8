import type { Executor } from '../../engine/contract/executor.ts';
import type { PortDescriptor } from '../../engine/contract/environment.ts';

/** Part of a composition's identity: another mapping needs another id (spec: session.md 3.2). */
export const IDENTITY_EXECUTOR = 'identity-v1';

/** Holds exactly the buttons whose names the decoder holds; axes rest at their neutral. */
export const identityExecutor: Executor = {
  apply: (decision, port: PortDescriptor) => ({
    portId: port.portId,
    buttons: port.buttons.map((button) => decision.active.includes(button)),
    axes: port.axes.map((axis) => axis.neutral),
  }),
};

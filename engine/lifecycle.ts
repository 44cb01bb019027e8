import type { PhaseName } from './phase.ts';

/** What happens to a session, for logs, alarms and tests. Times are the listener's business. */
export type LifecycleEvent =
  | { readonly kind: 'phase'; readonly phase: PhaseName; readonly epoch: string; readonly step: bigint }
  | { readonly kind: 'booted'; readonly epoch: string }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly step: bigint;
      /** Agent or environment whose failure it was, null when nobody's. */
      readonly blamed: string | null;
    }
  | {
      readonly kind: 'restored';
      readonly from: 'capture' | 'checkpoint' | 'clean-restart';
      readonly oldEpoch: string;
      readonly epoch: string;
      readonly step: bigint;
      readonly abandonedSteps: bigint;
    }
  | { readonly kind: 'rolled-back'; readonly epoch: string; readonly step: bigint; readonly trigger: string }
  | { readonly kind: 'lag'; readonly lagMs: number }
  | { readonly kind: 'stopped'; readonly reason: string; readonly step: bigint };

export type LifecycleListener = (event: LifecycleEvent) => void;

export type Lifecycle = {
  emit(event: LifecycleEvent): void;
  /** Returns the function that takes the listener off again. */
  on(listener: LifecycleListener): () => void;
};

export function createLifecycle(): Lifecycle {
  const listeners = new Set<LifecycleListener>();
  return {
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What may be asked of a running session from outside. There is no command that presses a button. */
export type Command =
  | { readonly kind: 'sugar'; readonly request: SugarRequest; readonly answer: (answer: SugarAnswer) => void }
  | { readonly kind: 'pause' | 'resume'; readonly by: string }
  | { readonly kind: 'stop'; readonly by: string }
  | { readonly kind: 'capture'; readonly by: string };

export type SugarRequest = {
  readonly by: string;
  readonly source: 'operator' | 'chat' | 'points';
  /** Asked length, ms; null takes the default. Clamped to [1, 1000] whole milliseconds. */
  readonly durationMs: number | null;
  /** Null means the only agent; with several agents it must be given. */
  readonly agentId: string | null;
};

export type SugarAnswer =
  | { readonly kind: 'accepted'; readonly serial: number; readonly durationMs: number; readonly agentId: string }
  | {
      readonly kind: 'refused';
      readonly reason: 'cooling-down' | 'pulse-running' | 'restored' | 'paused';
      readonly retryAfterMs: number;
    }
  | { readonly kind: 'unknown-agent' }
  /** This fly has no population that sugar could drive. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'ambiguous-target' };

export type CommandQueue = {
  /** False when the queue is full: the caller answers "busy" and nothing has happened. */
  push(command: Command): boolean;
  /** True while a command of this kind has not been taken. */
  isWaiting(kind: Command['kind']): boolean;
  /** Takes everything that waits, oldest first. */
  drain(): readonly Command[];
};

const CAPACITY = 64;

export function createCommandQueue(): CommandQueue {
  let waiting: Command[] = [];
  const none: readonly Command[] = [];
  return {
    push(command) {
      if (waiting.length >= CAPACITY) return false;
      waiting.push(command);
      return true;
    },
    isWaiting: (kind) => waiting.some((command) => command.kind === kind),
    drain() {
      if (waiting.length === 0) return none;
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}

/** What may be asked of a running session from outside. There is no command that presses a button. */
export type Command =
  | { readonly kind: 'sugar'; readonly request: SugarRequest; readonly answer: (answer: SugarAnswer) => void }
  | { readonly kind: 'pause' | 'resume'; readonly by: string }
  | { readonly kind: 'stop'; readonly by: string }
  | { readonly kind: 'capture'; readonly by: string };

export type SugarRequest = {
  readonly by: string;
  readonly source: 'operator' | 'chat' | 'points';
  /** Asked length, ms, above 0; null takes the default. What is given is for the limiter to say. */
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
  /** Takes a command back that has not been taken: it is not carried out. False when it was taken already. */
  withdraw(command: Command): boolean;
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
    withdraw(command) {
      const at = waiting.indexOf(command);
      if (at >= 0) waiting.splice(at, 1);
      return at >= 0;
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

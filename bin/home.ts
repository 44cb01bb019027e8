import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where state lives: never in the checkout. */
export type Home = {
  readonly root: string;
  readonly connectomes: string;
  readonly checkpoints: string;
  readonly recordings: string;
  readonly logs: string;
  readonly cores: string;
};

/** `$FLY_HOME`, by default `~/.local/share/flybrain-live`. */
export function resolveHome(environment: Readonly<Record<string, string | undefined>>): Home {
  const root = environment.FLY_HOME || join(homedir(), '.local', 'share', 'flybrain-live');
  return {
    root,
    connectomes: join(root, 'connectomes'),
    checkpoints: join(root, 'checkpoints'),
    recordings: join(root, 'recordings'),
    logs: join(root, 'logs'),
    cores: join(root, 'cores'),
  };
}

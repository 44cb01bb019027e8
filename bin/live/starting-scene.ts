import type { Publisher } from '../../engine/replica/publisher.ts';
import type { Starting } from '../../engine/replica/snapshot.ts';
import type { GrowProgress } from '../../systems/kernel/connectome/grow/grow-twin.ts';
import { release } from '../release.ts';
import type { Terminal } from './terminal.ts';

type StepState = Starting['steps'][number]['state'];

const STEPS = { cartridge: 'cartridge read', brain: 'brain ready', eyes: 'eyes opened', tick: 'first tick' } as const;

/** Tells the stage and the terminal how far the start has come, from real counts only. */
export type StartingScene = {
  step(name: keyof typeof STEPS, state: StepState, detail: string): void;
  growing(progress: GrowProgress): void;
  warming(done: number, total: number): void;
};

export type StartingSceneOptions = {
  readonly publisher: Publisher;
  readonly terminal: Terminal;
  readonly wordmark: string;
  readonly seed: number;
  /** What the session before left; null at the start of the program. */
  readonly sealed: NonNullable<Starting['sealed']> | null;
};

export function createStartingScene({
  publisher,
  terminal,
  wordmark,
  seed,
  sealed,
}: StartingSceneOptions): StartingScene {
  const steps = new Map<string, Starting['steps'][number]>(
    Object.entries(STEPS).map(([name, label]) => [name, { label, state: 'waiting', detail: 'waits' }]),
  );
  let shown: Omit<Starting, 'steps'> = {
    type: 'starting',
    showWordmark: wordmark,
    sealed,
    next: sealed === null ? null : { name: wordmark },
    release,
    headline: sealed === null ? 'STARTING' : 'INTERMISSION',
    grownShare: 0,
    done: 0,
    total: 0,
    line: '',
    originLine: '',
  };
  const send = (): void => publisher.starting({ ...shown, steps: [...steps.values()] });
  const set = (name: keyof typeof STEPS, state: StepState, detail: string): void => {
    steps.set(name, { label: STEPS[name], state, detail });
  };
  send();
  return {
    step(name, state, detail) {
      set(name, state, detail);
      if (name === 'brain' && state === 'done') shown = { ...shown, grownShare: 1 };
      send();
    },
    growing({ neuronsPlaced, edgesDrawn, total: { neurons, edges } }) {
      terminal.progress('growing a brain', edgesDrawn, edges);
      set('brain', 'running', `${Math.floor((edgesDrawn / edges) * 100)} %`);
      shown = {
        ...shown,
        headline: 'GROWING A BRAIN',
        grownShare: neuronsPlaced / neurons,
        done: neuronsPlaced,
        total: neurons,
        line: `${millions(edgesDrawn)} of ${millions(edges)} connections drawn, seed ${seed}`,
        originLine: 'grown twin, not a measured wiring',
      };
      send();
    },
    warming(done, total) {
      terminal.progress('settling the brain', done, total);
      set('eyes', 'running', `${Math.floor((done / total) * 100)} %`);
      shown = {
        ...shown,
        headline: 'SETTLING',
        grownShare: 1,
        done,
        total,
        line: `${done} of ${total} ms of brain time in the dark, learning off`,
      };
      send();
    },
  };
}

function millions(count: number): string {
  return `${(count / 1e6).toFixed(1)} M`;
}

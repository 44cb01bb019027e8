import type { ShowAnswer, ShowChoice } from '../../broadcast/control/controlled-session.ts';
import { listShows, loadShow } from '../../config/load-config.ts';
import type { Show } from '../../config/schema.ts';
import { describeError } from '../../engine/errors.ts';

export type SwapPhase = 'sealing' | 'intermission' | 'starting';

/** Which show runs and which one comes next. Only an operator asks; the running session decides when. */
export type ShowSwitch = {
  current(): string;
  /** The show that was asked for; null while none was. */
  readonly next: string | null;
  readonly swap: { readonly from: string; readonly to: string; readonly phase: SwapPhase } | null;
  list(): Promise<readonly ShowChoice[]>;
  request(id: string, by: string): Promise<ShowAnswer>;
  /** The running session hears of a request here. */
  onRequest(handler: (next: string, by: string) => void): void;
  /** The running session was sealed, or the next one is starting. */
  enter(phase: SwapPhase): void;
  /** The show that was asked for could not start: the one before goes on. */
  cancel(): void;
  /** The show that now runs; ends the swap. */
  arrive(id: string): void;
};

type ReadShow = { readonly kind: 'read'; readonly show: Show } | { readonly kind: 'refused'; readonly detail: string };

export function createShowSwitch(first: string, home: string): ShowSwitch {
  let current = first;
  let swap: ShowSwitch['swap'] = null;
  let handler: ((next: string, by: string) => void) | null = null;
  const readShow = async (id: string): Promise<ReadShow> => {
    try {
      return { kind: 'read', show: await loadShow(id, home) };
    } catch (error) {
      return { kind: 'refused', detail: describeError(error) };
    }
  };
  return {
    current: () => current,
    get next() {
      return swap?.to ?? null;
    },
    get swap() {
      return swap;
    },
    async list() {
      const choices: ShowChoice[] = [];
      for (const id of await listShows(home)) {
        const show = await readShow(id);
        // A file with a mistake is no choice; `fly config check FILE` says what is wrong with it.
        if (show.kind === 'read') {
          const { agents, task } = show.show;
          choices.push({ id, agents: agents.length, environment: task.name, current: id === current });
        }
      }
      return choices;
    },
    async request(id, by) {
      const show = await readShow(id); // a show file with a mistake is refused before anything is sealed
      if (show.kind === 'refused') return { kind: 'unknown-show', detail: show.detail };
      if (swap !== null || handler === null) return { kind: 'busy', detail: 'a show is starting or ending' };
      if (id === current) return { kind: 'already-running' };
      swap = { from: current, to: id, phase: 'sealing' };
      handler(id, by);
      return { kind: 'accepted' };
    },
    onRequest(next) {
      handler = next;
    },
    enter(phase) {
      handler = null;
      if (swap !== null) swap = { ...swap, phase };
    },
    cancel() {
      swap = null;
    },
    arrive(id) {
      current = id;
      swap = null;
    },
  };
}

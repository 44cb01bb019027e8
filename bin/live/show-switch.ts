import type { ShowAnswer, ShowChoice } from '../../broadcast/control/controlled-session.ts';
import { listShows, loadShow } from '../../config/load-config.ts';

export type SwapPhase = 'sealing' | 'intermission' | 'starting';

/** Which show runs and which one comes next. Only an operator asks; the running session decides when. */
export type ShowSwitch = {
  current(): string;
  /** The show that was asked for; null while none was. */
  readonly next: string | null;
  readonly swap: { readonly from: string; readonly to: string; readonly phase: SwapPhase } | null;
  list(): Promise<readonly ShowChoice[]>;
  request(id: string): Promise<ShowAnswer>;
  /** The running session hears of a request here. */
  onRequest(handler: (next: string) => void): void;
  /** The running session was sealed, or the next one is starting. */
  enter(phase: SwapPhase): void;
  /** The show that now runs; ends the swap. */
  arrive(id: string): void;
};

export function createShowSwitch(first: string, home: string): ShowSwitch {
  let current = first;
  let swap: ShowSwitch['swap'] = null;
  let handler: ((next: string) => void) | null = null;
  return {
    current: () => current,
    get next() {
      return swap?.to ?? null;
    },
    get swap() {
      return swap;
    },
    async list() {
      const ids = await listShows(home);
      return Promise.all(
        ids.map(async (id) => {
          const { agents, environment } = await loadShow(id, home);
          return { id, agents: agents.length, environment: environment.kind, current: id === current };
        }),
      );
    },
    async request(id) {
      if (!(await listShows(home)).includes(id)) return { kind: 'unknown-show', detail: `there is no show ${id}` };
      await loadShow(id, home); // a show file with a mistake is refused before anything is sealed
      if (swap !== null || handler === null) return { kind: 'busy', detail: 'a show is starting or ending' };
      if (id === current) return { kind: 'already-running' };
      swap = { from: current, to: id, phase: 'sealing' };
      handler(id);
      return { kind: 'accepted' };
    },
    onRequest(next) {
      handler = next;
    },
    enter(phase) {
      handler = null;
      if (swap !== null) swap = { ...swap, phase };
    },
    arrive(id) {
      current = id;
      swap = null;
    },
  };
}

import type { SugarAnswer, SugarRequest } from '../../broadcast/control/controlled-session.ts';
import type { Command, SugarAnswer as DecidedSugar } from '../../engine/command-queue.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** No answer for this long: the session is not reaching boundaries (spec: feed-control.md 43). */
const SUGAR_LIMIT_MS = 2_000;

/**
 * Puts the wish into the session's queue; it is decided at the next boundary. When none comes in time the wish is taken
 * back, so that "not given" stays true.
 */
export function giveSugar(world: SessionWorld | null, request: SugarRequest): Promise<SugarAnswer> {
  return new Promise((resolve) => {
    if (world === null) return resolve(unavailable('the session is starting'));
    const wish: Command = { kind: 'sugar', request, answer: (answer) => resolve(translateSugar(answer)) };
    if (!world.commands.push(wish)) return resolve(unavailable('too many wishes wait already'));
    void world.clock.sleep(SUGAR_LIMIT_MS).then(() => {
      if (world.commands.withdraw(wish)) resolve(unavailable('the session reaches no boundary now'));
    });
  });
}

function translateSugar(answer: DecidedSugar): SugarAnswer {
  switch (answer.kind) {
    case 'accepted':
      return { kind: 'accepted', eventId: answer.serial };
    case 'refused':
      if (answer.reason === 'paused') return unavailable('the session is paused');
      return { kind: 'cooling-down', retryAfterMs: answer.retryAfterMs };
    case 'unknown-agent':
      return { kind: 'unknown-agent', detail: 'no such agent' };
    case 'unsupported':
      return { kind: 'unsupported', detail: 'this fly has no reward neurons' };
    case 'ambiguous-target':
      return { kind: 'invalid', detail: 'name the agent; this session has several' };
    default:
      return answer satisfies never;
  }
}

function unavailable(why: string): SugarAnswer {
  return { kind: 'unavailable', detail: `${why}; no sugar was given` };
}

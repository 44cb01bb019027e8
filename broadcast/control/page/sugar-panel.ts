import type { AgentReport } from '../controlled-session.ts';
import { byId, create, setData, setText } from './element.ts';
import { postCommand } from './post-command.ts';
import type { CommandAnswer } from './post-command.ts';

const PULSE_MS = 400;

/** Gives sugar as the operator and shows what the session answered. */
export function createSugarPanel(): { update(agents: readonly AgentReport[]): void } {
  const give = byId<HTMLButtonElement>('sugar-give');
  const target = byId('sugar-target');
  const select = byId<HTMLSelectElement>('sugar-agent');
  const answer = byId('sugar-answer');
  let listed = '';
  let waitUntilMs = 0;

  give.addEventListener('click', () => void send());

  async function send(): Promise<void> {
    give.disabled = true;
    setText(answer, 'asking');
    setData(answer, 'tone', '');
    const agentId = target.hidden ? null : select.value;
    const reply = await postCommand('/sugar', { by: 'console', durationMs: PULSE_MS, agentId });
    if (reply.status === 429) waitUntilMs = performance.now() + Number(reply.body['retryAfterMs']);
    else give.disabled = false;
    setData(answer, 'tone', reply.status === 202 ? 'ok' : 'warn');
    setText(answer, explainSugar(reply));
    if (reply.status === 429) countDown();
  }

  function countDown(): void {
    const leftMs = waitUntilMs - performance.now();
    if (leftMs > 0) {
      setText(give, `Give sugar in ${Math.ceil(leftMs / 1_000)} s`);
      setTimeout(countDown, 250);
      return;
    }
    setText(give, `Give sugar, ${PULSE_MS} ms`);
    give.disabled = false;
    setText(answer, '');
  }

  return {
    update(agents) {
      const ids = agents.map(({ agentId }) => agentId);
      if (ids.join() === listed) return;
      listed = ids.join();
      target.hidden = ids.length < 2;
      select.replaceChildren(...ids.map((id) => create('option', '', id)));
    },
  };
}

export function explainSugar({ status, body }: CommandAnswer): string {
  if (status === 202) return `accepted, event ${String(body['eventId'])}`;
  if (status === 429) return `not yet: wait ${Math.ceil(Number(body['retryAfterMs']) / 1_000)} s`;
  if (status === 0) return 'no answer; it may have been applied';
  return `refused: ${String(body['error'])}`;
}

import { byId, setData, setText } from './element.ts';
import { bindHold } from './hold-action.ts';
import { postCommand } from './post-command.ts';

const HOLD_MS = 1_000;
const HINT = 'hold 1 s';

/** The stop control: held for a second, or confirmed in words by those who cannot hold. */
export function createStopPanel(): { isStopping(): boolean; reset(): void } {
  const stop = byId<HTMLButtonElement>('stop');
  const label = byId('stop-label');
  const hint = byId('stop-hint');
  const answer = byId('stop-answer');
  const dialog = byId<HTMLDialogElement>('stop-dialog');
  let accepted = false;

  async function send(): Promise<void> {
    stop.disabled = true;
    setText(label, 'Stopping');
    setText(hint, 'asking the session');
    const { status, body } = await postCommand('/stop', { by: 'console' });
    accepted = status === 202;
    if (accepted) {
      setText(hint, 'saving the session, closing the outputs');
      setText(answer, 'The show is stopping.');
      return;
    }
    reset();
    setText(hint, status === 0 ? 'no answer; it may be stopping' : `refused: ${String(body['error'])}`);
    setText(answer, `The show was not stopped: ${hint.textContent}`);
  }

  function reset(): void {
    accepted = false;
    stop.disabled = false;
    setText(label, 'Stop the show');
    setText(hint, HINT);
  }

  bindHold(stop, HOLD_MS, {
    onProgress(held) {
      stop.style.setProperty('--held', String(held));
      setData(stop, 'holding', String(held > 0));
      setText(hint, held > 0 ? 'release to keep going' : HINT);
    },
    onHeld: () => void send(),
    onClickOnly: () => dialog.showModal(),
  });
  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'stop') void send();
    dialog.returnValue = '';
  });
  return { isStopping: () => accepted, reset };
}

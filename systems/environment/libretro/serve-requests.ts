import { Socket } from 'node:net';
import koffi from 'koffi';
import { isFlyError } from '../../../engine/errors.ts';
import { openChannel } from '../../../engine/replica/channel.ts';
import type { Attachment, WireMessage } from '../../../engine/replica/wire.ts';

export type Answer = {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly attachments?: readonly Attachment[];
};

/** One request by its type. Runs to its end before the next is looked at. */
export type RequestHandler = (message: WireMessage) => Answer;

/** The descriptor on which the parent hands over its end of the stream. */
const PARENT_STREAM = 3;

/**
 * The child's whole life: answers the parent's requests in order and ends when the parent closes its side or dies.
 * Signals that a terminal or a service manager sends to the whole group are left to the parent.
 */
export function serveRequests(title: string, handlers: Readonly<Record<string, RequestHandler>>): void {
  process.title = title;
  endWithParent();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const channel = openChannel(new Socket({ fd: PARENT_STREAM }), {
    onMessage: (message) => {
      const { id, type } = message.header;
      try {
        const handler = handlers[type];
        if (handler === undefined) throw new Error(`unknown request ${type}`);
        const { fields = {}, attachments = [] } = handler(message);
        channel.send({ header: { ...fields, type: 'answer', id }, attachments });
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        const [kind, code] = isFlyError(error) ? [error.name, error.code] : ['InvariantError', 'EMULATOR_CHILD'];
        channel.send({ header: { type: 'error', id, kind, code, text }, attachments: [] });
      }
    },
    // Not `process.exit`: unloading a core that keeps threads or globals can crash, and nothing is left to flush.
    onClose: () => process.kill(process.pid, 'SIGKILL'),
  });
}

/**
 * A core that hangs never reads the end of its stream. Linux then ends the process when its parent is gone; elsewhere
 * an operator has to.
 */
function endWithParent(): void {
  if (process.platform !== 'linux') return;
  const PR_SET_PDEATHSIG = 1;
  const SIGKILL = 9;
  const control = koffi.load(null).func('int prctl(int option, unsigned long signal)');
  control(PR_SET_PDEATHSIG, SIGKILL);
}

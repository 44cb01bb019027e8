import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../engine/clock.ts';
import { ConfigError, DataError, DeviceError, InvariantError } from '../../../engine/errors.ts';
import { openChannel } from '../../../engine/replica/channel.ts';
import type { Channel } from '../../../engine/replica/channel.ts';
import type { Attachment, WireMessage } from '../../../engine/replica/wire.ts';
import { createSilence } from '../../../engine/silence.ts';

/** One emulator child, asked one thing at a time. */
export type EmulatorProcess = {
  readonly pid: number;
  /**
   * Resolves with the child's answer. Its errors come back as the class and code they had there.
   * @throws InvariantError ENVIRONMENT_BUSY while another request is pending; DeviceError ENVIRONMENT_DEAD
   */
  request(
    type: string,
    fields?: Readonly<Record<string, unknown>>,
    attachments?: readonly Attachment[],
  ): Promise<WireMessage>;
  /** Ends the child and waits until it is gone. A capture is all that outlives it, so nothing is asked of it. */
  close(): Promise<void>;
};

export type OpenEmulatorProcessOptions = {
  readonly environmentId: string;
  /** The program the child runs: a file that calls `serveRequests`. */
  readonly program: URL;
  readonly clock: Clock;
};

/** A core answers within a few milliseconds; one that does not for this long never will. */
const REQUEST_TIMEOUT_MS = 10_000;
const WHAT_HAPPENS_NEXT = 'the session stops here, starts it afresh and restores its newest checkpoint';
/** The child inherits these and nothing else: no secret of the show reaches native code. */
const INHERITED_VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'HOME', 'TMPDIR'];

type Pending = {
  readonly id: number;
  readonly type: string;
  resolve(message: WireMessage): void;
  reject(error: Error): void;
};

export function openEmulatorProcess(options: OpenEmulatorProcessOptions): EmulatorProcess {
  const { environmentId, clock } = options;
  const child = spawn(process.execPath, [fileURLToPath(options.program), environmentId], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: inheritVariables(),
  });
  const name = `emulator ${environmentId} (pid ${child.pid ?? 'none'})`;
  const ended = new AbortController();
  let pending: Pending | null = null;
  let lastRequestId = 0;
  let death: DeviceError | null = null;
  let killReason: string | null = null;
  let isWatched = false;
  const silence = createSilence(REQUEST_TIMEOUT_MS);

  const kill = (reason: string): void => {
    killReason ??= reason;
    child.kill('SIGKILL');
  };
  const channel = openEmulatorChannel(child, {
    onMessage: (message) => {
      if (killReason !== null) return; // it is being ended: nothing it says counts any more
      const request = pending;
      if (request === null || message.header.id !== request.id) {
        kill(`answered request ${String(message.header.id)}, which nobody asked, and was ended`);
        return;
      }
      pending = null;
      if (message.header.type === 'error') request.reject(reviveError(message));
      else request.resolve(message);
    },
    onClose: (error) => {
      // A reset stream is what a crash looks like from here; the exit that follows says more.
      const isOurs = error instanceof DataError;
      if (isOurs) kill(`sent what is not the protocol (${error.message}) and was ended`);
      else child.kill('SIGKILL');
    },
  });

  const gone = new Promise<void>((resolve) => {
    const end = (what: string): void => {
      if (death !== null) return;
      const during = pending === null ? '' : ` during ${pending.type}`;
      death = new DeviceError('ENVIRONMENT_DEAD', `${name} ${killReason ?? what}${during}; ${WHAT_HAPPENS_NEXT}.`);
      ended.abort();
      channel.close();
      pending?.reject(death);
      pending = null;
      resolve();
    };
    const errorOutput = keepLastLine(child);
    child.once('exit', (code, signal) =>
      end(signal === null ? `exited with code ${String(code)}${errorOutput()}` : `was killed by ${signal}`),
    );
    child.once('error', (error) => end(`could not be started (${error.message})`));
  });

  /** Read through a call: the compiler does not know that an await changes it. */
  const pendingNow = (): Pending | null => pending;

  /** Looks whether what is pending still is; one sleep serves many short requests. */
  const watch = async (): Promise<void> => {
    isWatched = true;
    while (pending !== null) {
      await clock.sleep(silence.lookMs, ended.signal);
      if (pendingNow() !== null && silence.look()) {
        kill(`gave no answer for ${REQUEST_TIMEOUT_MS / 1000} s and was killed`);
        break;
      }
    }
    isWatched = false;
  };

  return {
    pid: child.pid ?? 0,
    request: (type, fields = {}, attachments = []) =>
      new Promise((resolve, reject) => {
        if (death !== null) throw death;
        if (pending !== null) {
          const message = `${name}: ${type} was asked while ${pending.type} is pending; await one call before the next.`;
          throw new InvariantError('ENVIRONMENT_BUSY', message);
        }
        const id = ++lastRequestId;
        pending = { id, type, resolve, reject };
        silence.heard();
        channel.send({ header: { ...fields, type, id }, attachments });
        if (!isWatched) void watch();
      }),
    close() {
      kill('was closed');
      return gone;
    },
  };
}

function openEmulatorChannel(child: ChildProcess, handlers: Parameters<typeof openChannel>[1]): Channel {
  return openChannel(child.stdio[3] as Duplex, handlers);
}

function inheritVariables(): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of INHERITED_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

/** The reason of a child that ended by an error of its own is on the last lines it wrote. */
function keepLastLine(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-2000);
  });
  return () => {
    const line = tail.split('\n').find((candidate) => /^\w*Error/.test(candidate));
    return line === undefined ? '' : ` (${line.trim()})`;
  };
}

const ERROR_CLASSES = { ConfigError, DataError, DeviceError, InvariantError } as const;

function reviveError(message: WireMessage): Error {
  const { kind, code, text } = message.header as { kind?: unknown; code?: unknown; text?: unknown };
  const isKnown = typeof kind === 'string' && kind in ERROR_CLASSES;
  const ErrorClass = isKnown ? ERROR_CLASSES[kind as keyof typeof ERROR_CLASSES] : InvariantError;
  return new ErrorClass(String(code), String(text));
}

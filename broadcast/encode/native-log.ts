import { Log } from 'node-av';
import { AV_LOG_ERROR, AV_LOG_QUIET } from 'node-av/constants';

/** Most lines of one capture that are kept. */
const KEPT_LINES = 4;

let captures = 0;

/**
 * Silences the media library: its messages can hold a stream key, and nothing of it belongs on an operator's terminal.
 * Call once per process before the first device is opened.
 */
export function silenceNativeLog(): void {
  if (captures === 0) Log.setLevel(AV_LOG_QUIET);
}

/** Runs `action` and returns the error lines the library logged meanwhile, oldest first. */
export async function captureNativeLog<Result>(
  action: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  captures++;
  Log.setLevel(AV_LOG_ERROR);
  Log.setCallback((_level, message) => {
    const line = message.trim();
    if (line !== '' && lines.length < KEPT_LINES) lines.push(line);
  });
  try {
    const result = await action();
    await new Promise<void>((resolve) => setImmediate(resolve)); // lines cross from the library's thread in a later turn
    return { result, lines };
  } finally {
    captures--;
    if (captures === 0) {
      Log.setCallback(null);
      Log.resetCallback();
      Log.setLevel(AV_LOG_QUIET);
    }
  }
}

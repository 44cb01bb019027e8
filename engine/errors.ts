/** Stable, documented reason of a failure (docs/errors.md). Upper snake case. */
export type ErrorCode = string;

/**
 * A failure somebody outside the program can act on. The message is one line: what (with the values), where, what to
 * do. It never holds a secret.
 */
abstract class FlyError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** The operator's command line, file or environment is wrong. Start-up stops with one line and exit code 2. */
export class ConfigError extends FlyError {}

/** A bundle, ROM, state or packet does not match what it should be. It is refused and nothing has changed. */
export class DataError extends FlyError {}

/** A core, encoder, disk or socket failed. The caller restarts it or takes the next candidate. */
export class DeviceError extends FlyError {}

/** A bug of ours. The epoch is fenced and the group restored; it is never swallowed. */
export class InvariantError extends FlyError {}

export type AnyFlyError = ConfigError | DataError | DeviceError | InvariantError;

export function isFlyError(error: unknown): error is AnyFlyError {
  return error instanceof FlyError;
}

/** The one line an operator reads for any thrown value. */
export function describeError(error: unknown): string {
  if (isFlyError(error)) return `${error.code}: ${error.message}`;
  if (error instanceof Error) return error.message;
  return String(error);
}

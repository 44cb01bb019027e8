import type { Duplex } from 'node:stream';
import { DataError } from '../errors.ts';
import { MAX_MESSAGE_BYTES, decodeMessage, encodeMessage } from './wire.ts';
import type { WireMessage } from './wire.ts';

/** Messages over a byte stream to a child process, each preceded by its length as u32 little-endian. */
export type Channel = {
  /** Queues one message. Never blocks; look at `pendingBytes` before sending what may be dropped. */
  send(message: WireMessage): void;
  /** Bytes accepted but not yet taken by the other side. */
  pendingBytes(): number;
  close(): void;
};

export type ChannelHandlers = {
  /** Attachments are the receiver's to keep. */
  readonly onMessage: (message: WireMessage) => void;
  /** The other side closed, or sent something that is not the protocol. Called once. */
  readonly onClose: (error: Error | null) => void;
};

export function openChannel(stream: Duplex, handlers: ChannelHandlers): Channel {
  let closed = false;
  const finish = (error: Error | null): void => {
    if (closed) return;
    closed = true;
    stream.destroy();
    handlers.onClose(error);
  };
  const reader = createLengthReader((bytes) => handlers.onMessage(decodeMessage(bytes)));
  stream.on('data', (chunk: Buffer) => {
    if (closed) return;
    try {
      reader(chunk);
    } catch (error) {
      finish(error instanceof Error ? error : new Error(String(error)));
    }
  });
  stream.on('end', () => finish(null));
  stream.on('close', () => finish(null));
  stream.on('error', (error) => finish(error));
  return {
    send(message) {
      if (closed) return;
      const body = encodeMessage(message);
      const prefix = new Uint8Array(4);
      new DataView(prefix.buffer).setUint32(0, body.byteLength, true);
      stream.cork();
      stream.write(prefix);
      stream.write(body);
      stream.uncork();
    },
    pendingBytes: () => stream.writableLength,
    close: () => finish(null),
  };
}

/** Cuts a byte stream into length-prefixed bodies; each body is a fresh buffer. @throws DataError WIRE_LIMIT */
function createLengthReader(onBody: (bytes: Uint8Array) => void): (chunk: Buffer) => void {
  const prefix = new Uint8Array(4);
  let prefixFill = 0;
  let body: Uint8Array | null = null;
  let bodyFill = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (body === null) {
        prefix[prefixFill++] = chunk[at++]!;
        if (prefixFill < 4) continue;
        const length = new DataView(prefix.buffer).getUint32(0, true);
        if (length > MAX_MESSAGE_BYTES) {
          throw new DataError('WIRE_LIMIT', `replica stream: a message of ${length} bytes was announced.`);
        }
        body = new Uint8Array(length);
        bodyFill = 0;
        prefixFill = 0;
      }
      const take = Math.min(chunk.length - at, body.length - bodyFill);
      body.set(chunk.subarray(at, at + take), bodyFill);
      bodyFill += take;
      at += take;
      if (bodyFill === body.length) {
        const whole = body;
        body = null;
        onBody(whole);
      }
    }
  };
}

/** Rewrites the one field of an RTMP handshake that a relay makes wrong. */
export type ConnectRewriter = {
  /** Bytes to pass on for `chunk`; empty while the connect command is incomplete. */
  pass(chunk: Uint8Array): Uint8Array;
};

/** C0 + C1 + C2 (spec: broadcast.md 53). */
const HANDSHAKE_BYTES = 1 + 1_536 + 1_536;
/** Chunk size both sides begin with (spec: broadcast.md 53). */
const CHUNK_BYTES = 128;
const HEADER_BYTES = 12;
const COMMAND_AMF0 = 0x14;
/** AMF0: property name `tcUrl`, then the string marker. */
const FIELD = Buffer.from('\x00\x05tcUrl\x02', 'latin1');

/**
 * The media library is told to connect to `127.0.0.1`, and says so to the ingest in its connect command. An ingest that
 * serves several hosts goes by that field, so it gets the address the operator wrote. Everything else passes as it is,
 * and so does a connect command that does not look as expected.
 * @param tcUrl `rtmp://host:port/app`
 */
export function createConnectRewriter(tcUrl: string): ConnectRewriter {
  let toSkip = HANDSHAKE_BYTES;
  let held: Buffer | null = Buffer.alloc(0); // null once the command has passed

  return {
    pass(chunk) {
      if (held === null) return chunk;
      const direct = Math.min(toSkip, chunk.length);
      toSkip -= direct;
      held = Buffer.concat([held, chunk.subarray(direct)]);
      const whole = commandBytes(held);
      if (whole === null || held.length < whole) return chunk.subarray(0, direct);
      const command = rewrite(held.subarray(0, whole), tcUrl);
      const out = Buffer.concat([chunk.subarray(0, direct), command, held.subarray(whole)]);
      held = null;
      return out;
    },
  };
}

/** Length on the wire of the message that begins here; 0 when it is not an AMF0 command; null when too short to tell. */
function commandBytes(bytes: Buffer): number | null {
  if (bytes.length === 0) return null;
  if (bytes[0]! >> 6 !== 0 || (bytes[0]! & 0x3f) < 2) return 0;
  if (bytes.length < HEADER_BYTES) return null;
  if (bytes[7] !== COMMAND_AMF0) return 0;
  const length = bytes.readUIntBE(4, 3);
  return HEADER_BYTES + length + Math.max(0, Math.ceil(length / CHUNK_BYTES) - 1);
}

function rewrite(wire: Buffer, tcUrl: string): Buffer {
  if (wire.length === 0) return wire;
  const payload = joinChunks(wire.subarray(HEADER_BYTES));
  const field = payload.indexOf(FIELD);
  if (field < 0) return wire;
  const at = field + FIELD.length;
  const end = at + 2 + payload.readUInt16BE(at);
  const value = Buffer.from(tcUrl, 'utf8');
  const size = Buffer.alloc(2);
  size.writeUInt16BE(value.length);
  const next = Buffer.concat([payload.subarray(0, at), size, value, payload.subarray(end)]);
  const header = Buffer.from(wire.subarray(0, HEADER_BYTES));
  header.writeUIntBE(next.length, 4, 3);
  return Buffer.concat([header, splitChunks(next, 0xc0 | (header[0]! & 0x3f))]);
}

function joinChunks(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += CHUNK_BYTES + 1) parts.push(body.subarray(at, at + CHUNK_BYTES));
  return Buffer.concat(parts);
}

/** @param marker the one-byte header that continues a message */
function splitChunks(payload: Buffer, marker: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < payload.length; at += CHUNK_BYTES) {
    if (at > 0) parts.push(Buffer.of(marker));
    parts.push(payload.subarray(at, at + CHUNK_BYTES));
  }
  return Buffer.concat(parts);
}

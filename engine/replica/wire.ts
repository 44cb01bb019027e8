import { DataError } from '../errors.ts';

/**
 * One message of the replica protocol (spec: feed-control.md 2 and 6.4): u32 header length, JSON header, then per
 * attachment u32 length and its bytes. All integers little-endian. The header lists its attachments.
 */
export type WireMessage = { readonly header: WireHeader; readonly attachments: readonly Attachment[] };

export type WireHeader = { readonly type: string; readonly [key: string]: unknown };

export type Attachment = {
  readonly kind: AttachmentKind;
  /** Position of the owner in the descriptor: view, audio stream or agent. */
  readonly index: number;
  readonly bytes: Uint8Array;
};

export type AttachmentKind = 'view' | 'audio' | 'spikes' | 'preview' | 'state';

const PROTOCOL = 2;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_ATTACHMENTS = 32;
/** Spec: feed-control.md 83. */
export const MAX_MESSAGE_BYTES: number = 80 * 1024 * 1024;

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

/** Encodes into one new buffer. @throws DataError WIRE_LIMIT when a published limit is exceeded */
export function encodeMessage(message: WireMessage): Uint8Array {
  const { attachments } = message;
  const header = utf8Encoder.encode(
    JSON.stringify({
      protocol: PROTOCOL,
      ...message.header,
      attachments: attachments.map(({ kind, index, bytes }) => ({ kind, index, byteLength: bytes.byteLength })),
    }),
  );
  let total = 4 + header.byteLength;
  for (const { bytes } of attachments) total += 4 + bytes.byteLength;
  refuseOversize(header.byteLength, attachments.length, total);
  const out = new Uint8Array(total);
  const view = new DataView(out.buffer);
  view.setUint32(0, header.byteLength, true);
  out.set(header, 4);
  let at = 4 + header.byteLength;
  for (const { bytes } of attachments) {
    view.setUint32(at, bytes.byteLength, true);
    out.set(bytes, at + 4);
    at += 4 + bytes.byteLength;
  }
  return out;
}

/**
 * Decodes one message. Attachments are views into `bytes`.
 * @throws DataError WIRE_FORMAT when it is short, long, not JSON, of another protocol or disagrees with its header
 */
export function decodeMessage(bytes: Uint8Array): WireMessage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerEnd = bytes.byteLength < 4 ? Infinity : 4 + view.getUint32(0, true);
  if (headerEnd > bytes.byteLength || headerEnd - 4 > MAX_HEADER_BYTES) throw malformed('its header is cut short');
  const { attachments: declared, ...header } = parseHeader(bytes.subarray(4, headerEnd));
  const attachments: Attachment[] = [];
  let at = headerEnd;
  for (const { kind, index, byteLength } of declared) {
    if (at + 4 > bytes.byteLength || view.getUint32(at, true) !== byteLength) throw malformed(`attachment ${kind}`);
    const end = at + 4 + byteLength;
    if (end > bytes.byteLength) throw malformed(`attachment ${kind} is cut short`);
    attachments.push({ kind, index, bytes: bytes.subarray(at + 4, end) });
    at = end;
  }
  if (at !== bytes.byteLength) throw malformed(`${bytes.byteLength - at} bytes follow the last attachment`);
  return { header: header, attachments };
}

type DeclaredAttachment = { readonly kind: AttachmentKind; readonly index: number; readonly byteLength: number };

function parseHeader(bytes: Uint8Array): { attachments: DeclaredAttachment[]; type: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(utf8Decoder.decode(bytes));
  } catch (cause) {
    throw new DataError('WIRE_FORMAT', 'replica message: its header is not JSON.', { cause });
  }
  if (typeof parsed !== 'object' || parsed === null) throw malformed('its header is not an object');
  const { protocol, type, attachments, ...rest } = parsed as Record<string, unknown>;
  if (protocol !== PROTOCOL) throw malformed(`protocol ${String(protocol)}, this program speaks ${PROTOCOL}`);
  if (typeof type !== 'string') throw malformed('its header has no type');
  if (!Array.isArray(attachments) || attachments.length > MAX_ATTACHMENTS) throw malformed('its attachment list');
  return { ...rest, type, attachments: attachments as DeclaredAttachment[] };
}

function refuseOversize(headerBytes: number, attachments: number, total: number): void {
  if (headerBytes <= MAX_HEADER_BYTES && attachments <= MAX_ATTACHMENTS && total <= MAX_MESSAGE_BYTES) return;
  throw new DataError(
    'WIRE_LIMIT',
    `replica message: header ${headerBytes} bytes, ${attachments} attachments, ${total} bytes in all; ` +
      `limits are ${MAX_HEADER_BYTES}, ${MAX_ATTACHMENTS} and ${MAX_MESSAGE_BYTES}.`,
  );
}

function malformed(what: string): DataError {
  return new DataError('WIRE_FORMAT', `replica message: ${what}.`);
}

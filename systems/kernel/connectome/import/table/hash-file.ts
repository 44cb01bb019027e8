import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const CHUNK_BYTES = 1 << 20;

/**
 * SHA-256 of a file, lowercase hex.
 * @param onBytes bytes read so far
 * @throws the system's error when the file cannot be read, the signal's reason when it aborts
 */
export async function hashFile(
  path: string,
  onBytes: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(bytes);
  }
  return hash.digest('hex');
}

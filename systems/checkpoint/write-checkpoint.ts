import { describeError, isFlyError } from '../../engine/errors.ts';
import type { CaptureKind, GroupCapture } from '../../engine/group-capture.ts';
import { sha256Hex } from '../../engine/identity/digest.ts';
import { lookUp, saveCheckpoint } from './checkpoint-store.ts';
import { SCHEDULER, encodeGroup, episodeId } from './envelope-group.ts';
import type { GroupIdentity } from './envelope-group.ts';
import type { FileSystem } from './file-system.ts';
import type { StoreFolders } from './store-folders.ts';
import { compatibilityDigest } from './store-record.ts';

/** One capture on its way to the disk. */
export type SaveJob = {
  readonly checkpointId: string;
  readonly kind: CaptureKind;
  /** Rung whose archive this is, null for none. */
  readonly archiveRank: number | null;
  readonly capture: GroupCapture;
};

export type SaveOutcome =
  /** `trouble`: what went wrong after the commit point: an archive or a copy that is missing, files left over. */
  | { readonly kind: 'committed'; readonly byteLength: number; readonly trouble: string | null }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/**
 * Encodes and commits one capture. A disk that fails after the commit point has still committed: the store itself is
 * asked, never the error.
 * @param onEncoded the capture's arrays are no longer needed
 */
export function writeCheckpoint(
  files: FileSystem,
  folders: StoreFolders,
  identity: GroupIdentity,
  job: SaveJob,
  onEncoded: () => void,
): SaveOutcome {
  const { archiveRank, capture, checkpointId, kind } = job;
  let bytes: Uint8Array;
  try {
    bytes = encodeGroup(capture, checkpointId, identity);
  } catch (error) {
    return failed(error);
  } finally {
    onEncoded();
  }
  const row = {
    checkpointId,
    sessionId: identity.sessionId,
    epoch: capture.epoch,
    episodeId: episodeId(capture),
    boundary: String(capture.step),
    compatibilityDigest: compatibilityDigest({ ...identity, schedulerId: SCHEDULER }),
    envelopeDigest: sha256Hex(bytes),
    byteLength: String(bytes.byteLength),
  };
  try {
    const left = saveCheckpoint(files, folders, { kind, archiveRank, bytes, row });
    const trouble = left.length === 0 ? null : `old files could not be removed: ${left.join(', ')}`;
    return { kind: 'committed', byteLength: bytes.byteLength, trouble };
  } catch (error) {
    if (!isCommitted(files, folders, job)) return failed(error);
    return { kind: 'committed', byteLength: bytes.byteLength, trouble: describeError(error) };
  }
}

/** What the store says of a save whose answer never came. */
export function isCommitted(
  files: FileSystem,
  folders: StoreFolders,
  { kind, checkpointId }: Pick<SaveJob, 'kind' | 'checkpointId'>,
): boolean {
  try {
    return lookUp(files, folders, kind, checkpointId);
  } catch {
    return false; // a list that cannot be read names nothing
  }
}

function failed(error: unknown): SaveOutcome {
  const systemCode = (error as NodeJS.ErrnoException).code;
  if (isFlyError(error)) return { kind: 'failed', code: error.code, message: error.message };
  const isFull = systemCode === 'ENOSPC' || systemCode === 'EDQUOT';
  return {
    kind: 'failed',
    code: isFull ? 'CHECKPOINT_DISK_FULL' : 'CHECKPOINT_WRITE',
    message: describeError(error),
  };
}

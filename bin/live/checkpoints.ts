import type { Clock } from '../../engine/clock.ts';
import { describeError } from '../../engine/errors.ts';
import type { EventLog } from '../../engine/event-log.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { storedCandidates } from '../../systems/checkpoint/candidates.ts';
import type { Candidate } from '../../systems/checkpoint/candidates.ts';
import { captureGroup } from '../../systems/checkpoint/capture-group.ts';
import { createCheckpointQueue } from '../../systems/checkpoint/checkpoint-queue.ts';
import type { CheckpointEvent, CheckpointQueue, DurableMark } from '../../systems/checkpoint/checkpoint-queue.ts';
import { highestGeneration, keepNewest } from '../../systems/checkpoint/checkpoint-store.ts';
import { openCheckpointThread } from '../../systems/checkpoint/checkpoint-thread.ts';
import type { GroupIdentity } from '../../systems/checkpoint/envelope-group.ts';
import { diskFileSystem } from '../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';
import { lockStore } from '../../systems/checkpoint/store-lock.ts';
import type { Alarms } from './alarms.ts';

/** The store of one show, held by this process alone. */
export type LiveCheckpoints = {
  /** Best first; empty when nothing was ever saved. @throws DataError STORE_MANIFEST */
  candidates(identity: GroupIdentity): Candidate[];
  /** The show begins anew: the newest state of the run before is put where nothing rotates it away. Its id, if any. */
  keepNewest(): string | null;
  /** From here on captures go to the store; the state the process starts from goes first. */
  begin(world: SessionWorld, identity: GroupIdentity): Promise<void>;
  /** The newest state that is safe on disk; null before the first. */
  durable(): DurableMark | null;
  /** What waits for the disk; null while no session saves here. */
  queue(): Pick<CheckpointQueue, 'outstanding' | 'queuedBytes' | 'refused' | 'stalledMs'> | null;
  /** A last durable save of a session that stands at a boundary. Ends in time, whatever the disk does. */
  end(world: SessionWorld): Promise<void>;
  release(): void;
};

export type LiveCheckpointOptions = {
  /** `$FLY_HOME/checkpoints` */
  readonly checkpoints: string;
  readonly showId: string;
  readonly clock: Clock;
  readonly alarms: Alarms;
  readonly eventLog: () => EventLog | null;
  readonly report: (line: string) => void;
};

/** A run that was asked to end has three seconds for everything; half of them are ours. */
const ASKED_LIMIT_MS = 1_500;
/** A run that reached its count may wait for a slow disk. */
const COUNTED_LIMIT_MS = 15_000;

/** @throws DeviceError STORE_LOCKED naming the process that has it; DataError STORE_MANIFEST */
export function openCheckpoints(options: LiveCheckpointOptions): LiveCheckpoints {
  const { alarms, clock, report } = options;
  const folders = storeFolders(options.checkpoints, options.showId);
  const lock = lockStore(folders.root);
  const thread = openCheckpointThread({ folders });
  let queue: CheckpointQueue | null = null;
  let lastDurable: DurableMark | null = null;

  function hear(event: CheckpointEvent): void {
    if (event.kind === 'captured' || event.kind === 'queued') return;
    options.eventLog()?.append({ wallMs: clock.unixMs(), session: options.showId, checkpoint: event });
    if (event.kind === 'failed') raise(event.code, `${event.checkpointId} was not saved: ${event.message}`);
    if (event.kind !== 'committed') return;
    if (event.trouble === null) alarms.clear('checkpoint');
    else raise('CHECKPOINT_INCOMPLETE', `${event.checkpointId}: ${event.trouble}`);
  }

  function raise(code: string, text: string): void {
    const isNew = !alarms.list().some((alarm) => alarm.code === code);
    alarms.hear({ severity: 'alarm', subject: 'checkpoint', code, text });
    if (isNew) report(`ALARM checkpoint: ${code}: ${text}`);
  }

  /** Whether this very boundary is on the disk now. */
  async function saveLast(world: SessionWorld, open: CheckpointQueue): Promise<boolean> {
    if (world.phase.name !== 'ready') return false;
    const limitMs = world.stopRequested === null ? COUNTED_LIMIT_MS : ASKED_LIMIT_MS;
    const untilMs = clock.nowMs() + limitMs;
    if (open.outstanding > 0) await open.settle(limitMs / 2);
    world.captureRequested = 'shutdown';
    await captureGroup(world);
    await open.settle(untilMs - clock.nowMs());
    return world.captureRequested === null && open.durable?.boundary === String(world.phase.step);
  }

  try {
    const lastGeneration = highestGeneration(diskFileSystem, folders);
    return {
      candidates: (identity) => storedCandidates(diskFileSystem, folders, identity),
      keepNewest: () => keepNewest(diskFileSystem, folders),
      async begin(world, identity) {
        queue = createCheckpointQueue({
          writer: thread.writerFor(identity),
          clock,
          lastGeneration,
          archivedRank: world.slotRank,
          onEvent: hear,
          onTrouble: raise,
        });
        world.captures = queue;
        world.captureRequested = 'start';
        await captureGroup(world);
      },
      durable: () => queue?.durable ?? lastDurable,
      queue: () => queue,
      async end(world) {
        if (queue === null) return;
        let isSaved = false;
        try {
          isSaved = await saveLast(world, queue);
        } catch (error) {
          report(`no save at the end: ${describeError(error)}`);
        }
        await queue.close(isSaved && folders.isHotInMemory);
        const { durable } = queue;
        lastDurable = durable;
        if (!isSaved)
          report(`not saved at the end; the newest state on the disk is of boundary ${durable?.boundary ?? 'none'}`);
        else report(`saved as ${durable!.checkpointId} at boundary ${durable!.boundary}`);
        queue = null;
      },
      release() {
        void thread.close(false);
        lock.release();
      },
    };
  } catch (error) {
    void thread.close(false);
    lock.release();
    throw error;
  }
}

import type { Brain } from '../../engine/contract/brain.ts';
import type { Task, TaskOutcome, TaskView } from '../../engine/contract/task.ts';
import type { Channel } from '../../engine/replica/channel.ts';
import { encodeMessage } from '../../engine/replica/wire.ts';

/** A brain whose ticks cost nothing and that is shown nothing: what is left is the world and the schedule. */
export function withoutNeurons(brain: Brain): Brain {
  return { ...withoutTicks(brain), installFrame: () => undefined };
}

/** A brain whose ticks cost nothing; its retina is projected on like any other's. */
export function withoutTicks(brain: Brain): Brain {
  return { ...brain, advance: () => Promise.resolve(0), reinforce: () => undefined };
}

/** Lets the brains run one after the other, as a machine with one core would. */
export function queueBrains(brains: Brain[]): void {
  let tail: Promise<unknown> = Promise.resolve();
  brains.forEach((brain, index) => {
    brains[index] = {
      ...brain,
      advance(ticks) {
        const turn = tail.then(() => brain.advance(ticks));
        tail = turn.catch(() => undefined);
        return turn;
      },
    };
  });
}

/** A task that looks at boundary 0 and at no memory image after it: nothing is parsed, rewarded or told. */
export function withoutParsing(task: Task, agentCount: number): Task {
  let outcome: TaskOutcome | null = null;
  return {
    ...task,
    bootstrap(now): TaskView {
      const view = task.bootstrap(now);
      const agents = Array.from({ length: agentCount }, () => ({ rewards: [], stimulationsMs: [] }));
      outcome = { ...view, agents, events: [], saveSlot: null, rollback: null };
      return view;
    },
    evaluate: () => outcome!,
  };
}

/** Takes everything at once: encoding is paid, the network is not. */
export function createEncodingReader(): Channel {
  return { send: (message) => void encodeMessage(message), pendingBytes: () => 0, close: () => undefined };
}

/** Keeps its own copy of every picture, sound and spike map, as one that presents them must; nothing is encoded. */
export function createCopyingReader(): Channel {
  const copies: Uint8Array[] = [];
  return {
    send({ attachments }) {
      for (const [i, { bytes }] of attachments.entries()) {
        if (copies[i]?.byteLength !== bytes.byteLength) copies[i] = new Uint8Array(bytes.byteLength);
        copies[i].set(bytes);
      }
    },
    pendingBytes: () => 0,
    close: () => undefined,
  };
}

/** A viewer far too slow for what it is offered: its backlog stands at the publisher's limit. */
export function createSlowReader(): Channel {
  const READ_BYTES = 5_000;
  let pending = 0;
  return {
    send: (message) => void (pending += encodeMessage(message).byteLength),
    pendingBytes: () => (pending = Math.max(0, pending - READ_BYTES)),
    close: () => undefined,
  };
}

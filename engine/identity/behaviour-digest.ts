import { createHash } from 'node:crypto';
import type { PortControl } from '../contract/environment.ts';
import { InvariantError } from '../errors.ts';

/** What one committed transition did. Wall time, chat and thread counts are no part of it. */
export type BehaviourRecord = {
  /** Boundary reached, k + 1. */
  readonly step: bigint;
  /** In agent order. */
  readonly agents: readonly AgentBehaviour[];
  /** Controls applied, descriptor order. */
  readonly ports: readonly PortControl[];
  /** The world's memory image at the boundary reached. */
  readonly inspection: Uint8Array;
};

export type AgentBehaviour = {
  /** Neural ticks since the brain was built. */
  readonly brainTicks: number;
  /** Bit i = neuron i spiked in this transition. */
  readonly spikeBits: Uint8Array;
  readonly rewards: readonly { readonly ruleId: string; readonly value: number }[];
};

export type BehaviourDigest = {
  update(record: BehaviourRecord): void;
  /** SHA-256 of everything so far, 64 lowercase hex digits; more may follow. */
  digest(): string;
  /** Transitions hashed. */
  count(): number;
};

/**
 * A running fingerprint of a run: two runs behaved alike exactly when their digests at one boundary are equal.
 *
 * The stream opens with the ASCII line `fly-behaviour-v1` LF. Each record follows without padding, integers and floats
 * little-endian:
 *
 *     u64 step
 *     u32 number of agents, then per agent
 *         u64 brain ticks
 *         u32 byte length, bytes: spike bitset
 *         u32 number of rewards, then per reward
 *             u32 byte length, UTF-8: rule id
 *             f64 value
 *     u32 number of ports, then per port
 *         u32 byte length, UTF-8: port id
 *         u32 number of buttons
 *         u32 mask, bit i = button i is down
 *         u32 number of axes, then f64 per axis
 *     u32 byte length, bytes: inspection
 *
 * -0 and 0 are one value; NaN never occurs (controls and rewards are validated before).
 */
export function createBehaviourDigest(): BehaviourDigest {
  const hash = createHash('sha256').update('fly-behaviour-v1\n');
  const scratch = new Uint8Array(8);
  const view = new DataView(scratch.buffer);
  const four = scratch.subarray(0, 4);
  let records = 0;

  function writeU32(value: number): void {
    view.setUint32(0, value, true);
    hash.update(four);
  }
  function writeU64(value: bigint): void {
    view.setBigUint64(0, value, true);
    hash.update(scratch);
  }
  function writeF64(value: number): void {
    view.setFloat64(0, value === 0 ? 0 : value, true);
    hash.update(scratch);
  }
  function writeBytes(bytes: Uint8Array): void {
    writeU32(bytes.byteLength);
    hash.update(bytes);
  }
  function writeText(text: string): void {
    writeU32(Buffer.byteLength(text));
    hash.update(text);
  }
  function writeAgent({ brainTicks, spikeBits, rewards }: AgentBehaviour): void {
    writeU64(BigInt(brainTicks));
    writeBytes(spikeBits);
    writeU32(rewards.length);
    for (const { ruleId, value } of rewards) {
      writeText(ruleId);
      writeF64(value);
    }
  }
  function writePort({ portId, buttons, axes }: PortControl): void {
    writeText(portId);
    writeU32(buttons.length);
    writeU32(buttonMask(buttons));
    writeU32(axes.length);
    for (const value of axes) writeF64(value);
  }

  return {
    update({ step, agents, ports, inspection }) {
      writeU64(step);
      writeU32(agents.length);
      for (const agent of agents) writeAgent(agent);
      writeU32(ports.length);
      for (const port of ports) writePort(port);
      writeBytes(inspection);
      records++;
    },
    digest: () => hash.copy().digest('hex'),
    count: () => records,
  };
}

/** Bit i = button i is down. @throws InvariantError CONTROL_BATCH above 32 buttons (spec: session.md 2.2) */
export function buttonMask(buttons: readonly boolean[]): number {
  if (buttons.length > 32)
    throw new InvariantError('CONTROL_BATCH', `a port has ${buttons.length} buttons, not 0..32.`);
  let mask = 0;
  for (let i = 0; i < buttons.length; i++) if (buttons[i] === true) mask |= 1 << i;
  return mask >>> 0;
}

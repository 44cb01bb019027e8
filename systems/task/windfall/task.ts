import { ConfigError, DataError } from '../../../engine/errors.ts';
import type { Observation } from '../../../engine/contract/environment.ts';
import type {
  CreateTaskOptions,
  DecisionContext,
  Progress,
  Task,
  TaskEvent,
  TaskModule,
  TaskView,
} from '../../../engine/contract/task.ts';
import { CARTRIDGE_DIGEST } from './cartridge.ts';
import { RUNG, RUNG_LABELS, climb, rankOf } from './ladder.ts';
import type { Ledger } from './ledger.ts';
import { createLedger, parseLedger } from './ledger.ts';
import { ORCHARD_COUNT } from './memory-map.ts';
import { MODE_WORDS, PRESENTATION } from './presentation.ts';
import { archive, rollBack } from './recovery.ts';
import type { Payout } from './rewards.ts';
import { REWARD_RULES, collect, countPlaces } from './rewards.ts';
import type { Sample } from './sample.ts';
import { readSample } from './sample.ts';

const TASK_ID = 'windfall-v1';
const SLOT = 'best';

/** Windfall, our own cartridge: a fly crosses eight orchards (assets/games/windfall). */
export const taskModule: TaskModule = {
  id: TASK_ID,
  environmentKind: 'gameboy',
  contentDigests: [CARTRIDGE_DIGEST],
  decoderPreset: 'gameboy',
  slotIds: [SLOT],
  episodePolicy: 'legacy-ratchet-rollback-v1',
  presentation: PRESENTATION,
  create: createWindfallTask,
};

/** @throws ConfigError TASK_AGENTS; DataError TASK_CONTENT */
function createWindfallTask({ agentCount, contentDigest }: CreateTaskOptions): Task {
  if (agentCount !== 1) {
    throw new ConfigError(
      'TASK_AGENTS',
      `windfall: ${agentCount} agents; its cartridge has one player. Use one agent.`,
    );
  }
  if (contentDigest !== CARTRIDGE_DIGEST) {
    throw new DataError(
      'TASK_CONTENT',
      `windfall: cartridge ${contentDigest} is not the one this task knows, ${CARTRIDGE_DIGEST}. ` +
        'Point the show at assets/games/windfall/windfall.gb.',
    );
  }
  let ledger = createLedger(RUNG_LABELS.length);
  /** Newest valid sample of this timeline; null after a jump. */
  let sample: Sample | null = null;

  /** Takes what a world already shows as known, unpaid. */
  function adopt(now: Observation): TaskView {
    const reading = readSample(now.inspection);
    sample = reading.kind === 'valid' ? reading.sample : null;
    return view();
  }

  function view(): TaskView {
    return { contexts: [contextOf(sample)], progress: progressOf(ledger, sample) };
  }

  return {
    taskId: TASK_ID,
    bootstrap(now) {
      ledger = createLedger(RUNG_LABELS.length);
      const known = adopt(now);
      if (sample !== null && sample.mode !== 'title') collect(ledger, sample);
      climb(ledger.earned, ledger, sample);
      return { ...known, progress: progressOf(ledger, sample) };
    },
    evaluate({ after, brainMs }) {
      const nowMs = brainMs[0]!;
      ledger.recovery.newGroundAtMs ??= nowMs;
      const events: TaskEvent[] = [];
      let payouts: Payout[] = [];
      let saveSlot: string | null = null;
      const reading = readSample(after.inspection);
      if (reading.kind === 'valid') {
        const next = reading.sample;
        if (sample !== null && next.deaths > sample.deaths) {
          ledger.attempts++;
          events.push(notice('system', 'caught, nothing is lost', 'caught'));
        }
        sample = next;
        payouts = collect(ledger, next);
        pay(ledger, payouts, events);
        if (payouts.some(({ ruleId }) => ruleId === 'ground')) ledger.recovery.newGroundAtMs = nowMs;
        announceRungs(ledger, next, events);
        if (archive(ledger.recovery, rankOf(ledger.earned), next)) saveSlot = SLOT;
      }
      const rollback = saveSlot === null && rollBack(ledger.recovery, nowMs);
      if (rollback) events.push(notice('recovery', 'back to the best point, no new ground for long', 'recovery'));
      const rewards = payouts.map(({ ruleId }) => ({ ruleId, value: REWARD_RULES[ruleId].value }));
      const stimulationsMs = payouts.map(({ ruleId }) => REWARD_RULES[ruleId].stimulationMs);
      return {
        ...view(),
        agents: [{ rewards, stimulationsMs }],
        events,
        saveSlot,
        rollback: rollback ? { slotId: SLOT, trigger: 'stall' } : null,
      };
    },
    clearTransients: adopt,
    capture: () => structuredClone(ledger),
    restore(value) {
      ledger = parseLedger(value, RUNG_LABELS.length);
      sample = null;
    },
  };
}

function pay(ledger: Ledger, payouts: readonly Payout[], events: TaskEvent[]): void {
  for (const { ruleId, label, dedupeMs } of payouts) {
    const { value } = REWARD_RULES[ruleId];
    ledger.rewardTotal += value;
    const tier = value >= 1 ? 'moment' : value >= 0.5 ? 'notable' : 'quiet';
    events.push({ kind: 'reward', tier, label, value, agentIndex: 0, dedupeKey: ruleId, dedupeMs });
  }
}

/** One event for every rung earned now; a higher rank also renews the rollback budget of the rung. */
function announceRungs(ledger: Ledger, sample: Sample, events: TaskEvent[]): void {
  const before = ledger.earned.slice();
  climb(ledger.earned, ledger, sample);
  if (rankOf(ledger.earned) > rankOf(before)) ledger.recovery.onThisRung = 0;
  ledger.earned.forEach((earned, rung) => {
    if (!earned || before[rung] || rung === RUNG.booting) return;
    events.push({
      kind: 'milestone',
      tier: 'moment',
      label: RUNG_LABELS[rung]!,
      value: null,
      agentIndex: 0,
      dedupeKey: `rung:${rung}`,
      dedupeMs: 0,
    });
  });
}

function notice(kind: 'system' | 'recovery', label: string, dedupeKey: string): TaskEvent {
  return { kind, tier: 'notable', label, value: null, agentIndex: 0, dedupeKey, dedupeMs: 10_000 };
}

function contextOf(sample: Sample | null): DecisionContext {
  const playing = sample?.mode === 'playing';
  return {
    boot: !playing,
    bound: [],
    location: playing ? { area: sample.orchard, x: sample.column, y: sample.flyY >> 3 } : null,
  };
}

function progressOf(ledger: Ledger, sample: Sample | null): Progress {
  const orchards = new Set(ledger.cleared.map((key) => key.split(':')[1])).size;
  const places = countPlaces(ledger);
  return {
    schema: 'ladder.progress.v1',
    rank: rankOf(ledger.earned),
    earned: ledger.earned.slice(),
    mode: sample === null ? '' : MODE_WORDS[sample.mode],
    playing: sample?.mode === 'playing',
    facts: [
      { text: `${orchards}/${ORCHARD_COUNT}`, glyph: 'fruit' },
      { text: `${places} places`, glyph: null },
    ],
    attempts: ledger.attempts,
    rewardTotal: ledger.rewardTotal,
    uniquePlaces: places,
  };
}

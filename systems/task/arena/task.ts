import type { Observation, PortControl } from '../../../engine/contract/environment.ts';
import type {
  AgentOutcome,
  CreateTaskOptions,
  DecisionContext,
  Task,
  TaskEvent,
  TaskModule,
  TaskView,
} from '../../../engine/contract/task.ts';
import { ConfigError } from '../../../engine/errors.ts';
import { ARENA_PORTS } from '../../environment/arena/describe-arena.ts';
import { LETTERS } from '../../environment/arena/letters.ts';
import { STUCK_AFTER } from '../../environment/arena/rules.ts';
import { KEPT_RESULTS, createLedger, nothingPaid, parseLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { matchProgress, roundSeconds } from './match-progress.ts';
import { CORNERS_PRESENTATION, DUEL_PRESENTATION } from './presentation.ts';
import { REWARD_RULES, collect } from './rewards.ts';
import type { Payout } from './rewards.ts';
import { readSample } from './sample.ts';
import type { Sample } from './sample.ts';

const TASK_ID = 'two-player-rounds-v1';

/** Who carries more plums home: a match of rounds between two to four flies in our own arena (docs/arena.md). */
export const taskModule: TaskModule = {
  id: TASK_ID,
  environmentKind: 'arena',
  contentDigests: null,
  decoderPreset: 'gameboy',
  slotIds: [],
  episodePolicy: 'round-reset-keep-gains-v1',
  presentation: DUEL_PRESENTATION,
  presentationFor: (agentCount) => (agentCount > 2 ? CORNERS_PRESENTATION : DUEL_PRESENTATION),
  create: createMatchTask,
};

/** @throws ConfigError TASK_AGENTS */
function createMatchTask({ agentCount }: CreateTaskOptions): Task {
  if (agentCount < 2 || agentCount > ARENA_PORTS.length) {
    throw new ConfigError('TASK_AGENTS', `arena: ${agentCount} agents; a match has two to four. Correct the show.`);
  }
  let ledger = createLedger(agentCount);

  function view(sample: Sample): TaskView {
    return {
      contexts: ledger.playerOf.map((player) => contextOf(sample, player)),
      progress: matchProgress(ledger, sample),
    };
  }

  /** What a world already shows in another match than the ledger's was earned before us and is not paid. */
  function adopt(now: Observation): TaskView {
    const sample = readSample(now.inspection, agentCount);
    if (sample.matchNumber !== ledger.match.number) {
      ledger.match = {
        number: sample.matchNumber,
        paid: sample.players.map(({ counters }) => ({ ...counters })),
        isRecorded: sample.phase === 'match-over',
      };
    }
    return view(sample);
  }

  return {
    taskId: TASK_ID,
    bootstrap(now) {
      // match 1 is the first of a run; later ones begin here too, after the episode policy, and keep the results
      if (readSample(now.inspection, agentCount).matchNumber === 1) ledger = createLedger(agentCount);
      return adopt(now);
    },
    evaluate({ before, after, applied }) {
      ledger.playerOf = playersOf(applied);
      const earlier = readSample(before.inspection, agentCount);
      const sample = readSample(after.inspection, agentCount);
      if (sample.matchNumber !== ledger.match.number) {
        ledger.match = {
          number: sample.matchNumber,
          paid: Array.from({ length: agentCount }, nothingPaid),
          isRecorded: false,
        };
      }
      const events: TaskEvent[] = [];
      const payouts: Payout[][] = ledger.playerOf.map((player) =>
        collect(ledger.match.paid[player]!, sample.players[player]!.counters, LETTERS[player]!, roundLabel(sample)),
      );
      if (sample.phase === 'match-over' && !ledger.match.isRecorded) record(ledger, sample, payouts, events);
      tell(earlier, sample, events);
      const agents = payouts.map((earned, agentIndex) => pay(ledger, earned, agentIndex, events));
      return {
        ...view(sample),
        agents,
        events,
        saveSlot: null,
        rollback: null,
        terminal: sample.isFinished && !earlier.isFinished ? matchLabel(sample) : null,
      };
    },
    clearTransients: adopt,
    capture: () => structuredClone(ledger),
    restore(value) {
      ledger = parseLedger(value, agentCount);
    },
  };
}

function playersOf(applied: readonly PortControl[]): number[] {
  return applied.map(({ portId }) => ARENA_PORTS.indexOf(portId));
}

/** There is no title and no menu: a fly is in play from the first step on. Cells only matter while it can move. */
function contextOf(sample: Sample, player: number): DecisionContext {
  const { column, row } = sample.players[player]!;
  const isPlayed = sample.phase === 'play' || sample.phase === 'sudden-death';
  return { boot: false, bound: [], location: isPlayed ? { area: sample.round, x: column, y: row } : null };
}

/** Rewards go to the agent that earned them, once, with one stimulation each. */
function pay(ledger: Ledger, payouts: readonly Payout[], agentIndex: number, events: TaskEvent[]): AgentOutcome {
  for (const { rule, label } of payouts) {
    const { value } = REWARD_RULES[rule];
    ledger.rewardTotal += value;
    const tier = rule === 'match' || rule === 'round' ? 'moment' : rule === 'home' ? 'notable' : 'quiet';
    events.push({ kind: 'reward', tier, label, value, agentIndex, dedupeKey: `${rule}:${agentIndex}`, dedupeMs: 0 });
  }
  return {
    rewards: payouts.map(({ rule }) => ({ ruleId: rule, value: REWARD_RULES[rule].value })),
    stimulationsMs: payouts.map(({ rule }) => REWARD_RULES[rule].stimulationMs),
  };
}

function record(ledger: Ledger, sample: Sample, payouts: Payout[][], events: TaskEvent[]): void {
  const agentOf = (player: number | null): number | null => (player === null ? null : ledger.playerOf.indexOf(player));
  const winner = agentOf(sample.matchWinner);
  ledger.match.isRecorded = true;
  if (winner === null) {
    ledger.matchesDrawn += 1;
    events.push(notice(matchLabel(sample), 'moment'));
  } else {
    ledger.matchesWon[winner]! += 1;
    payouts[winner]!.push({ rule: 'match', label: matchLabel(sample) });
  }
  ledger.results.push({
    number: sample.matchNumber,
    winner,
    rounds: sample.rounds.map((round) => ({ winner: agentOf(round.winner), steps: round.steps })),
    lastSides: ledger.playerOf.map((player) => sample.players[player]!.side),
  });
  if (ledger.results.length > KEPT_RESULTS) ledger.results.shift();
}

/** What nobody is paid for and viewers should still hear. */
function tell(earlier: Sample, sample: Sample, events: TaskEvent[]): void {
  const begins = sample.phase === 'intro' && (earlier.phase !== 'intro' || earlier.round !== sample.round);
  if (begins) {
    const sides = sample.players.map(({ side }, player) => `${LETTERS[player]!} ${side}`).join(', ');
    events.push(notice(`round ${sample.round}: ${sides}`, 'quiet'));
  }
  if (sample.phase === earlier.phase) return;
  if (earlier.phase === 'play' && earlier.quietSteps >= STUCK_AFTER - 1) {
    events.push(notice('no plum was moved for 20 s, the round is judged', 'notable'));
  }
  if (sample.phase === 'sudden-death') events.push(notice('level: sudden death, the next plum wins', 'moment'));
  if (sample.phase === 'round-over' && sample.roundWinner === null) {
    events.push(notice(`round ${sample.round} drawn`, 'notable'));
  }
}

function notice(label: string, tier: TaskEvent['tier']): TaskEvent {
  return { kind: 'system', tier, label, value: null, agentIndex: null, dedupeKey: label, dedupeMs: 0 };
}

/** e.g. `round 3 to A, 44 s`. */
function roundLabel(sample: Sample): string {
  const { winner, steps } = sample.rounds[sample.rounds.length - 1] ?? { winner: null, steps: 0 };
  return winner === null ? '' : `round ${sample.round} to ${LETTERS[winner]!}, ${roundSeconds(steps)} s`;
}

/** e.g. `match 12 to B, 3 : 1`. */
function matchLabel(sample: Sample): string {
  const rounds = sample.players.map(({ roundsWon }) => roundsWon).join(' : ');
  return sample.matchWinner === null
    ? `match ${sample.matchNumber} drawn, ${rounds}`
    : `match ${sample.matchNumber} to ${LETTERS[sample.matchWinner]!}, ${rounds}`;
}

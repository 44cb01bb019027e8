import type { BehaviourDigest } from '../engine/identity/behaviour-digest.ts';
import type { EventLog } from '../engine/event-log.ts';
import type { Pacer } from '../engine/pacer.ts';
import { guardSystem } from '../engine/loop.ts';
import { checkSchedule } from '../engine/schedule.ts';
import type { SystemEntry } from '../engine/schedule.ts';
import type { SessionWorld } from '../engine/world.ts';
import { cutAdmissions } from './admission/cut-admissions.ts';
import { drainCommands } from './admission/drain-commands.ts';
import { pauseGate } from './admission/pause-gate.ts';
import { settleAdmissions } from './admission/settle-admissions.ts';
import { captureGroup, saveAfterRollback } from './checkpoint/capture-group.ts';
import { captureMilestone } from './checkpoint/capture-milestone.ts';
import { advanceEnvironment } from './environment/advance-environment.ts';
import { verifyObservation } from './environment/verify-observation.ts';
import { assembleBatch } from './executor/assemble-batch.ts';
import { executeActions } from './executor/execute-actions.ts';
import { advanceBrains } from './kernel/advance-brains.ts';
import { installSensory } from './kernel/install-sensory.ts';
import { planTicks } from './kernel/plan-ticks.ts';
import { stimulatePreStep } from './kernel/stimulate-pre-step.ts';
import { applyOutcomeStimuli } from './learning/apply-outcome-stimuli.ts';
import { reinforce } from './learning/reinforce.ts';
import { logEvents } from './media/log-events.ts';
import { publish } from './media/publish.ts';
import type { PublishDevices } from './media/publish.ts';
import { recordTrace } from './media/record-trace.ts';
import { applyEpisodePolicy } from './ratchet/apply-episode-policy.ts';
import { applyRollback } from './ratchet/apply-rollback.ts';
import { saveSlots } from './ratchet/save-slots.ts';
import { readoutDecide } from './readout/readout-decide.ts';
import { retainContext } from './readout/retain-context.ts';
import { createChoiceWatch } from './readout/watch-choices.ts';
import { commitBoundary } from './session/commit-boundary.ts';
import { enterPreparing } from './session/enter-preparing.ts';
import { createHealthMeter } from './session/measure-health.ts';
import { pace } from './session/pace.ts';
import { evaluateTask } from './task/evaluate-task.ts';

/** Everything a tick reads or writes, by the name it has in the contracts below. */
export type Data =
  | 'Composition'
  | 'Commands'
  | 'Interactions'
  | 'Stimuli'
  | 'Phase'
  | 'AgentClock'
  | 'TickPlan'
  | 'Brain'
  | 'Spikes'
  | 'Rates'
  | 'SensoryDrive'
  | 'Gains'
  | 'DecisionContext'
  | 'Readout'
  | 'Decision'
  | 'Intent'
  | 'ControlBatch'
  | 'World'
  | 'Observation'
  | 'TaskLedger'
  | 'Outcome'
  | 'Slots'
  | 'CaptureRequest'
  | 'Captures'
  | 'Events'
  | 'Trace'
  | 'Feed'
  | 'Health';

/** What the schedule needs besides the world: one of each, made by whoever runs the session. */
export type ScheduleDevices = PublishDevices & {
  readonly trace: BehaviourDigest;
  readonly eventLog: EventLog;
  readonly pacer: Pacer;
};

/** Exists before the first transition: composition, and what boot or a restore left behind. */
const GIVEN: readonly Data[] = ['Composition', 'Commands'];

/** What every capture copies. */
// prettier-ignore
const CAPTURED: readonly Data[] = ['World', 'Brain', 'Gains', 'Readout', 'TaskLedger', 'AgentClock', 'DecisionContext', 'Slots', 'Events'];

/**
 * The whole machine on one page: one run is one transition k -> k+1 (spec: session.md 7, rows in brackets there).
 * Two kinds of wait exist inside it, the kernel barrier and the environment; `pace` waits outside, at the boundary.
 */
export function createSchedule(devices: ScheduleDevices): readonly SystemEntry<SessionWorld, Data>[] {
  // prettier-ignore
  const entries: readonly SystemEntry<SessionWorld, Data>[] = [
    // Ready(k): what was asked for
    { name: 'drainCommands', rows: [1, 2], phase: 'ready', run: (world) => drainCommands(world, devices.limiter), reads: ['Commands'], carries: ['Brain', 'Interactions'], writes: ['Interactions'] },
    { name: 'cutAdmissions', rows: [3], phase: 'ready', run: cutAdmissions, reads: ['Interactions'], writes: ['Interactions', 'Stimuli'] },
    { name: 'enterPreparing', rows: [4], phase: 'ready', run: enterPreparing, carries: ['Phase'], writes: ['Phase'] },
    // Preparing(k): every brain thinks, then decides
    { name: 'stimulatePreStep', rows: [5], phase: 'prepare', run: stimulatePreStep, reads: ['Stimuli'], carries: ['Brain'], writes: ['Brain'] },
    { name: 'planTicks', rows: [6], phase: 'prepare', run: planTicks, reads: ['Composition'], carries: ['AgentClock'], writes: ['AgentClock', 'TickPlan'] },
    { name: 'advanceBrains', rows: [6, 8], phase: 'prepare', run: advanceBrains, awaits: 'kernel', reads: ['TickPlan', 'Brain', 'AgentClock'], carries: ['SensoryDrive', 'Gains'], writes: ['Brain', 'AgentClock', 'Spikes', 'Rates'] },
    { name: 'readoutDecide', rows: [7], phase: 'prepare', run: readoutDecide, reads: ['Rates', 'AgentClock'], carries: ['DecisionContext', 'Readout'], writes: ['Decision', 'Readout'] },
    // from decisions to one complete batch
    { name: 'executeActions', rows: [9], phase: 'control', run: executeActions, reads: ['Decision'], writes: ['Intent'] },
    { name: 'assembleBatch', rows: [10], phase: 'control', run: assembleBatch, reads: ['Intent', 'Composition', 'Phase'], writes: ['ControlBatch', 'Phase'] },
    // Applying(k): the world moves once
    { name: 'advanceEnvironment', rows: [11], phase: 'apply', run: advanceEnvironment, awaits: 'environment', reads: ['ControlBatch', 'Phase'], carries: ['World'], writes: ['World', 'Observation', 'Phase'] },
    // Observing(k+1): what happened, and what it is worth
    { name: 'verifyObservation', rows: [12], phase: 'observe', run: verifyObservation, reads: ['Observation', 'Composition'] },
    { name: 'evaluateTask', rows: [13, 14], phase: 'observe', run: evaluateTask, reads: ['Observation', 'ControlBatch', 'AgentClock', 'Phase'], carries: ['TaskLedger'], writes: ['TaskLedger', 'Outcome', 'Events', 'Phase'] },
    // Committing(k): brains take the outcome in
    { name: 'installSensory', rows: [15], phase: 'commit', run: installSensory, reads: ['Observation'], writes: ['SensoryDrive'] },
    { name: 'applyOutcomeStimuli', rows: [16], phase: 'commit', run: applyOutcomeStimuli, reads: ['Outcome', 'Brain'], writes: ['Brain'] },
    { name: 'reinforce', rows: [17], phase: 'commit', run: reinforce, reads: ['Outcome', 'Brain'], writes: ['Gains'] },
    { name: 'retainContext', rows: [18], phase: 'commit', run: retainContext, reads: ['Outcome', 'AgentClock', 'Readout'], writes: ['DecisionContext', 'Readout'] },
    { name: 'commitBoundary', rows: [19], phase: 'commit', run: commitBoundary, reads: ['Phase'], writes: ['Phase'] },
    // Ready(k+1): the boundary's tail, in this order
    { name: 'settleAdmissions', rows: [20], phase: 'boundary', run: settleAdmissions, reads: ['Interactions', 'Events'], writes: ['Interactions', 'Events'] },
    { name: 'recordTrace', rows: [21], phase: 'boundary', run: (world) => recordTrace(world, devices.trace), reads: ['Spikes', 'ControlBatch', 'Observation', 'Outcome', 'AgentClock'], writes: ['Trace'] },
    { name: 'saveSlots', rows: [22], phase: 'boundary', run: saveSlots, awaits: 'environment', reads: ['Outcome', 'World'], writes: ['Slots'] },
    { name: 'captureMilestone', rows: [23], phase: 'boundary', run: captureMilestone, awaits: 'environment', reads: ['Outcome', ...CAPTURED], carries: ['CaptureRequest', 'Captures'], writes: ['CaptureRequest', 'Captures'] },
    { name: 'applyRollback', rows: [24], phase: 'boundary', run: applyRollback, awaits: 'environment', reads: ['Outcome', 'Slots', 'World', 'TaskLedger', 'Readout', 'Gains', 'DecisionContext', 'Observation', 'SensoryDrive', 'CaptureRequest', 'Events', 'Phase'], writes: ['World', 'TaskLedger', 'Readout', 'Gains', 'DecisionContext', 'Observation', 'SensoryDrive', 'CaptureRequest', 'Events', 'Phase'] },
    { name: 'saveAfterRollback', rows: [25], phase: 'boundary', run: saveAfterRollback, awaits: 'environment', reads: ['Outcome', 'CaptureRequest', 'Captures', ...CAPTURED], writes: ['CaptureRequest', 'Captures'] },
    { name: 'watchChoices', rows: [], phase: 'boundary', run: createChoiceWatch(), reads: ['Readout', 'AgentClock', 'Events'], writes: ['Events'] },
    { name: 'logEvents', rows: [28], phase: 'boundary', run: (world) => logEvents(world, devices.eventLog), reads: ['Events', 'Outcome'] },
    { name: 'publish', rows: [26], phase: 'boundary', run: (world) => publish(world, devices), reads: ['Events', 'Observation', 'Spikes', 'Rates', 'Decision', 'ControlBatch', 'Outcome', 'Interactions', 'Phase'], carries: ['Health'], writes: ['Feed'] },
    { name: 'captureGroup', rows: [27], phase: 'boundary', run: captureGroup, awaits: 'environment', reads: ['CaptureRequest', 'Captures', ...CAPTURED], writes: ['CaptureRequest', 'Captures'] },
    { name: 'pauseGate', rows: [29], phase: 'boundary', run: (world) => pauseGate(world, devices), awaits: 'deadline', reads: ['Commands', 'Phase', 'CaptureRequest', 'Captures', ...CAPTURED], writes: ['Phase', 'CaptureRequest', 'Captures'] },
    { name: 'applyEpisodePolicy', rows: [30], phase: 'boundary', run: applyEpisodePolicy, awaits: 'environment', reads: ['Outcome', 'World', 'TaskLedger', 'Readout', 'Gains', 'DecisionContext', 'Observation', 'SensoryDrive', 'Phase'], writes: ['World', 'TaskLedger', 'Readout', 'Gains', 'DecisionContext', 'Observation', 'SensoryDrive', 'Phase'] },
    // between two transitions
    { name: 'measureHealth', rows: [31], phase: 'idle', run: createHealthMeter(), writes: ['Health'] },
    { name: 'pace', rows: [32], phase: 'idle', run: (world) => pace(world, devices.pacer), awaits: 'deadline', reads: ['Health'], writes: ['Health'] },
  ];
  return checkSchedule(entries, GIVEN).map(guardSystem);
}

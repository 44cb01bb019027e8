import { loadConfig, loadSecrets, loadShow } from '../../config/load-config.ts';
import type { Config } from '../../config/schema.ts';
import { describeError } from '../../engine/errors.ts';
import { rationalToMs } from '../../engine/rational.ts';
import type { Starting } from '../../engine/replica/snapshot.ts';
import type { Home } from '../home.ts';
import { release } from '../release.ts';
import { CONTROL_LABELS } from './control-run.ts';
import { overridesOf } from './live-options.ts';
import type { LiveOptions } from './live-options.ts';
import { openStudio } from './open-studio.ts';
import { runSession } from './run-session.ts';
import type { SessionResult } from './run-session.ts';
import { createShowSwitch } from './show-switch.ts';
import { summarise, writeSummary } from './summary.ts';
import type { RunSummary, SessionSummary } from './summary.ts';
import type { Terminal } from './terminal.ts';
import { collectUplinks, describeUplink } from './uplinks.ts';
import type { Uplink } from './uplinks.ts';

export type RunLiveInput = {
  readonly options: LiveOptions;
  readonly home: Home;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Aborts once: finish the boundary, close every file, end. The reason is the summary's `endedBy`. */
  readonly signal: AbortSignal;
  /** Aborts `signal` for somebody else than the terminal: the page's stop button. */
  readonly requestStop: (by: string) => void;
};

/**
 * Opens the studio and runs shows in it, one session after the other, until it is asked to stop or the count is
 * reached. Everything it opened is closed again, whatever happens.
 */
export async function runLive(input: RunLiveInput): Promise<RunSummary> {
  const { options, home, environment, terminal, signal, requestStop } = input;
  const config = await loadConfig({ home: home.root, environment, overrides: overridesOf(options) });
  await loadShow(config.show, home.root); // a wrong name is refused before anything opens
  const secrets = await loadSecrets({ home: home.root, environment });
  const uplinks = collectUplinks(options, config, secrets);
  const showSwitch = createShowSwitch(config.show, home.root);
  const studio = await openStudio({ config, home, options, terminal, uplinks, showSwitch, requestStop });
  try {
    greet(terminal, studio.controlUrl, uplinks, config, options);
    const earlier: SessionSummary[] = [];
    let sealed: NonNullable<Starting['sealed']> | null = null;
    let transitionsLeft = options.transitions;
    let secondsLeft = options.forSeconds;
    for (let revision = 1; ; revision++) {
      const showId = showSwitch.next ?? showSwitch.current();
      const attempt = runSession(studio, {
        showId,
        revision,
        fresh: options.fresh && !earlier.some(({ show }) => show === showId), // coming back is no new start
        sealed,
        transitionsLeft,
        secondsLeft,
        signal,
      });
      const result = await attempt.catch((error: unknown) => {
        if (showSwitch.next === null || signal.aborted) throw error;
        return error; // the show that was taken cannot start; the one before is still sealed and can
      });
      if (!isResult(result)) {
        const text = `${showId} cannot start: ${describeError(result)}; ${showSwitch.current()} goes on`;
        studio.alarms.hear({ severity: 'alarm', subject: 'show', code: 'SHOW_FAILED', text });
        terminal.line(`ALARM ${text}`);
        showSwitch.cancel();
        continue;
      }
      if (transitionsLeft !== null) transitionsLeft -= BigInt(result.transitions);
      if (secondsLeft !== null) {
        secondsLeft = Math.max(0, secondsLeft - (result.transitions * rationalToMs(result.world.stepDuration)) / 1_000);
      }
      const isOver = signal.aborted || transitionsLeft === 0n || secondsLeft === 0;
      const isSwap = showSwitch.next !== null && !isOver;
      if (isSwap) {
        showSwitch.enter('intermission');
        earlier.push({ show: showId, transitions: result.transitions, behaviourDigest: result.digest });
        sealed = sealedFacts(result);
        terminal.line(`${showId} sealed at step ${result.world.phase.step}; next: ${showSwitch.next}`);
        continue;
      }
      await studio.stage?.stop();
      const summary = summarise(studio, result, earlier);
      if (options.summary !== null) await writeSummary(options.summary, summary);
      farewell(terminal, summary);
      return summary;
    }
  } finally {
    await studio.close();
  }
}

function isResult(value: unknown): value is SessionResult {
  return typeof value === 'object' && value !== null && 'digest' in value;
}

function sealedFacts({ world, presentation, checkpointId }: SessionResult): NonNullable<Starting['sealed']> {
  return {
    showWordmark: presentation.wordmark,
    step: String(world.phase.step),
    checkpoint: checkpointId ?? 'not saved',
  };
}

function greet(
  terminal: Terminal,
  controlUrl: string,
  uplinks: readonly Uplink[],
  config: Config,
  options: LiveOptions,
): void {
  terminal.line(
    `fly ${release}: show ${config.show}, ${config.picture.size}${config.picture.fps}, seed ${config.seed}`,
  );
  terminal.line(`watch and stop it at ${controlUrl}`);
  for (const uplink of uplinks) terminal.line(`pushing to ${describeUplink(uplink)}`);
  if (options.learning !== 'on') terminal.line(`control run: ${CONTROL_LABELS[options.learning]}`);
  if (!options.picture) terminal.line('no picture: nothing is drawn, sent or recorded');
  else if (!uplinks.some(({ name }) => name === 'twitch') && !options.local) {
    terminal.line(
      'not on Twitch: put twitch_stream_key = "..." into secrets.toml (chmod 600) in the folder of `./fly paths`',
    );
  }
}

function farewell(terminal: Terminal, summary: RunSummary): void {
  const { rung, transitions, wallSeconds, realTimeFactor, lagMs, endedBy } = summary;
  terminal.line(
    `ended (${endedBy}): ${transitions} transitions in ${wallSeconds.toFixed(1)} s, ${realTimeFactor.toFixed(2)}x real time, ` +
      `lag ${Math.round(lagMs)} ms, rung ${rung.rank} ${rung.label}`,
  );
}

import { Command, CommanderError, Option } from 'commander';
import { describeError, isFlyError, ConfigError } from '../engine/errors.ts';
import { nearest } from '../engine/nearest.ts';
import { EXIT } from './exit-codes.ts';
import { release } from './release.ts';

process.title = 'fly-main';

const program = new Command('fly')
  .description('Simulated fruit-fly brains play games, live.')
  .version(release, '-V, --version')
  .option('--debug', 'print a stack when something fails')
  .exitOverride()
  .configureOutput({ outputError: () => undefined })
  .showSuggestionAfterError(false);

program
  .command('live')
  .argument('[show]', 'a show of config/shows; see config/default.toml for the default')
  .description('run a show: brain, game, picture, sound, outputs, web page')
  .option(
    '--rtmp <url>',
    'push to this RTMP server too (repeatable)',
    (url: string, all: string[]) => [...all, url],
    [],
  )
  .option('--record <dir>', 'record into this folder')
  .option('--for <duration>', 'session time to run, e.g. 60s, 10m, 2h')
  .option('--transitions <n>', 'stop after this many transitions')
  .addOption(new Option('--size <size>', 'picture size').choices(['720p', '1080p']))
  .option('--fps <n>', 'pictures per second')
  .option('--no-picture', 'draw, send and record nothing')
  .option('--unthrottled', 'as fast as the machine can')
  .option('--fresh', 'start anew instead of from a checkpoint')
  .option('--port <n>', 'port of the web page, 0 = any free')
  .option('--seed <n>', 'master seed; starts a new run from it, as --fresh does')
  .option('--summary <file>', 'write what happened as one JSON object')
  .addOption(
    new Option('--learning <mode>', 'learning, or a control run that learns nothing from the reward')
      .choices(['on', 'frozen', 'shuffled'])
      .default('on'),
  )
  .option('--local', 'push only to --rtmp, even when a stream key is known')
  .action(
    lazily(
      () => import('./commands/live.ts'),
      (module) => module.liveCommand,
    ),
  );
program
  .command('test')
  .argument('[filter]', 'run only tests whose path contains this')
  .description('types, lint, layer law, unit, integration and browser tests')
  .action(
    lazily(
      () => import('./commands/test.ts'),
      (module) => module.testCommand,
    ),
  );
program
  .command('doctor')
  .description('what this machine has and lacks')
  .option('--json', 'as JSON')
  .action(
    lazily(
      () => import('./commands/doctor.ts'),
      (module) => module.doctorCommand,
    ),
  );
program
  .command('schedule')
  .argument('[show]')
  .description('the tick: order, phase, reads, writes')
  .action(
    lazily(
      () => import('./commands/schedule.ts'),
      (module) => module.scheduleCommand,
    ),
  );
program
  .command('bench')
  .argument('[part]', 'kernel, session, picture, show, soak, kill, fairness or play')
  .description('ratios measured in one run')
  .option('--json', 'as JSON')
  .option('--seeds <n>', 'play: how many seeds', '5')
  .option(
    '--minutes <n>',
    'session minutes; show: of the paced run (default half a minute); soak, kill, play (per seed): default 60',
  )
  .option('--show <id>', 'show, soak, kill, fairness: which show runs', 'two-fly')
  .option('--kills <n>', 'kill: how often', '20')
  .option('--rounds <n>', 'fairness: rounds to play', '200')
  .action(
    lazily(
      () => import('./commands/bench.ts'),
      (module) => module.benchCommand,
    ),
  );
const connectome = program.command('connectome').description('brain wirings: list, grow, import, verify');
connectome
  .command('list')
  .option('--json', 'as JSON')
  .action(
    lazily(
      () => import('./commands/connectome.ts'),
      (module) => module.connectomeListCommand,
    ),
  );
connectome
  .command('grow')
  .option('--seed <n>', 'seed of the twin', '1')
  .action(
    lazily(
      () => import('./commands/connectome.ts'),
      (module) => module.connectomeGrowCommand,
    ),
  );
connectome
  .command('verify')
  .argument('[name]', 'folder name, all without')
  .option('--probe', 'also run each brain: does its readout notice the picture?')
  .action(
    lazily(
      () => import('./commands/connectome.ts'),
      (module) => module.connectomeVerifyCommand,
    ),
  );
connectome
  .command('compare')
  .description('two wirings side by side: counts, degrees, signs, populations, rates')
  .argument('<a>', 'twin, a folder name, or a path')
  .argument('<b>', 'twin, a folder name, or a path')
  .option('--png <file>', 'draw it too')
  .option('--json', 'as JSON')
  .action(
    lazily(
      () => import('./commands/connectome-compare.ts'),
      (module) => module.connectomeCompareCommand,
    ),
  );
connectome
  .command('rewire')
  .description('write the degree-preserving control of a wiring beside it')
  .argument('<name>', 'twin or a folder name')
  .option('--seed <n>', 'seed of the shuffle', '1')
  .action(
    lazily(
      () => import('./commands/connectome.ts'),
      (module) => module.connectomeRewireCommand,
    ),
  );
connectome
  .command('import')
  .description('build a measured wiring from downloaded files')
  .argument('<dataset>', 'fafb, larva or malecns')
  .argument('<dir>', 'folder of the downloaded files')
  .option('--accept-checksum', 'take files that are not the published ones')
  .option('--threshold <contacts>', 'malecns: leave out pairs with fewer contacts (default 1)')
  .option('--unsigned <policy>', 'larva: excitatory, local-inhibitory or refuse (default excitatory)')
  .action(
    lazily(
      () => import('./commands/connectome-import.ts'),
      (module) => module.connectomeImportCommand,
    ),
  );
const trace = program.command('trace').description('behaviour traces: record, compare');
trace
  .command('record')
  .description('run a show from its beginning without a picture and write what every transition did')
  .argument('<file>', 'JSON lines')
  .argument('[show]', 'a show of config/shows; see config/default.toml for the default')
  .requiredOption('--transitions <n>', 'how many')
  .option('--seed <n>', 'master seed; starts a new run from it, as --fresh does')
  .action(
    lazily(
      () => import('./commands/trace.ts'),
      (module) => module.traceRecordCommand,
    ),
  );
trace
  .command('compare')
  .description('find the first step, system, agent and field two recordings differ in')
  .argument('<a>')
  .argument('<b>')
  .action(
    lazily(
      () => import('./commands/trace.ts'),
      (module) => module.traceCompareCommand,
    ),
  );
const checkpoint = program.command('checkpoint').description('saved states: list, inspect, export, import');
checkpoint
  .command('list')
  .argument('[show]', 'only of this show')
  .action(
    lazily(
      () => import('./commands/checkpoint.ts'),
      (module) => module.checkpointListCommand,
    ),
  );
checkpoint
  .command('inspect')
  .argument('<what>', 'a file, or an id of the list')
  .description('check all of it and say what it is')
  .action(
    lazily(
      () => import('./commands/checkpoint.ts'),
      (module) => module.checkpointInspectCommand,
    ),
  );
checkpoint
  .command('export')
  .argument('<id>')
  .argument('<file>', 'a name nobody has')
  .action(
    lazily(
      () => import('./commands/checkpoint.ts'),
      (module) => module.checkpointExportCommand,
    ),
  );
checkpoint
  .command('import')
  .argument('<file>')
  .description('make it the state its show continues from')
  .action(
    lazily(
      () => import('./commands/checkpoint.ts'),
      (module) => module.checkpointImportCommand,
    ),
  );
program
  .command('rom')
  .argument('<file>')
  .description('what a ROM is, and which shows can run it')
  .action(
    lazily(
      () => import('./commands/rom.ts'),
      (module) => module.romCommand,
    ),
  );
program
  .command('paths')
  .description('where state lives')
  .action(
    lazily(
      () => import('./commands/paths.ts'),
      (module) => module.pathsCommand,
    ),
  );
program
  .command('config')
  .description('configuration')
  .command('check')
  .argument('[file]', 'a configuration or show file; the effective configuration without')
  .action(
    lazily(
      () => import('./commands/config-check.ts'),
      (module) => module.configCheckCommand,
    ),
  );

for (const command of [program, ...program.commands, ...connectome.commands, ...checkpoint.commands, ...trace.commands])
  command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Loads a command's code when it is called: `fly paths` must not load an encoder. */
function lazily<Module, Arguments extends unknown[]>(
  load: () => Promise<Module>,
  pick: (module: Module) => (...args: Arguments) => void | Promise<void>,
): (...args: Arguments) => Promise<void> {
  return async (...args) => pick(await load())(...args);
}

/** Prints one line and chooses the exit code: 0 done, 1 failed, 2 wrong use. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    process.stderr.write(`fly: ${withNearest(error.message)}\n`);
    return EXIT.wrongUse;
  }
  process.stderr.write(`fly: ${describeError(error)}\n`);
  if (program.opts<{ debug?: boolean }>().debug === true || process.argv.includes('--debug')) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : ''}\n`);
  }
  if (!isFlyError(error)) return EXIT.failed;
  return error instanceof ConfigError ? EXIT.wrongUse : EXIT.failed;
}

/** Commander names what it did not know; the nearest thing it does know helps more. */
function withNearest(message: string): string {
  const text = message.replace(/^error: |\.$/g, '');
  const wrong = /unknown (option|command) '([^']+)'/.exec(text);
  if (wrong === null) return `${text}. Run ./fly --help.`;
  const [, kind, word] = wrong;
  const command = program.commands.find((candidate) => candidate.name() === process.argv[2]) ?? program;
  const known =
    kind === 'command'
      ? [...program.commands, ...command.commands].map((candidate) => candidate.name())
      : [...program.options, ...command.options, ...command.commands.flatMap((sub) => sub.options)].map(
          (option) => option.long ?? option.flags,
        );
  const guess = nearest(word!, known);
  return guess === null ? `${text}. Run ./fly --help.` : `${text}. Did you mean ${guess}?`;
}

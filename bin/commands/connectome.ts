import { basename, join } from 'node:path';
import { DataError } from '../../engine/errors.ts';
import { ensureTwin } from '../../systems/kernel/connectome/grow-in-worker.ts';
import { listBundles } from '../../systems/kernel/connectome/list-bundles.ts';
import type { BundleSummary } from '../../systems/kernel/connectome/list-bundles.ts';
import { loadBundle } from '../../systems/kernel/connectome/load-bundle.ts';
import { readReportFacts } from '../../systems/kernel/connectome/compare/read-report-facts.ts';
import { verifyBundle } from '../../systems/kernel/connectome/verify-bundle.ts';
import { writeRewired } from '../../systems/kernel/connectome/write-rewired.ts';
import { describeVision } from '../../systems/kernel/probe-vision.ts';
import { resolveHome } from '../home.ts';
import { measureVision } from '../live/known-vision.ts';
import { parseWhole } from '../live/live-options.ts';
import { createTerminal } from '../live/terminal.ts';
import { resolveBundle } from './resolve-bundle.ts';

export async function connectomeListCommand({ json }: { json?: boolean }): Promise<void> {
  const bundles = await listBundles(resolveHome(process.env).root);
  if (json === true) {
    process.stdout.write(`${JSON.stringify(bundles, null, 2)}\n`);
    return;
  }
  if (bundles.length === 0) process.stdout.write('no connectome yet: ./fly connectome grow\n');
  for (const bundle of bundles) process.stdout.write(`${describeBundle(bundle)}\n`);
}

function describeBundle(bundle: BundleSummary): string {
  if (bundle.kind === 'unreadable') return `${bundle.id}: unreadable, ${bundle.reason}`;
  const { id, name, origin, neurons, edges, credit } = bundle;
  const counts = `${neurons.toLocaleString('en')} neurons, ${edges.toLocaleString('en')} edges`;
  return `${id}: ${name} (${origin}), ${counts}. ${credit}`;
}

export async function connectomeGrowCommand({ seed }: { seed: string }): Promise<void> {
  const terminal = createTerminal(process.stderr, () => performance.now());
  const startedMs = performance.now();
  const folder = await ensureTwin({
    home: resolveHome(process.env).root,
    seed: parseWhole(seed, '--seed', 0, 2 ** 32 - 1),
    onProgress: ({ edgesDrawn, total }) => terminal.progress('growing a brain', edgesDrawn, total.edges),
  });
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  process.stdout.write(`${folder}: a grown twin, not a measured wiring (${seconds} s)\n`);
}

/** Writes `<name>-rewired-seed<n>`: same degrees, weights, populations and retina, other partners. */
export async function connectomeRewireCommand(name: string, { seed }: { seed: string }): Promise<void> {
  const shuffleSeed = parseWhole(seed, '--seed', 0, 2 ** 32 - 1);
  const from = await resolveBundle(name);
  const to = join(resolveHome(process.env).connectomes, `${basename(from)}-rewired-seed${shuffleSeed}`);
  await writeRewired(from, to, shuffleSeed);
  process.stdout.write(`${to}: a rewired control, not a measured wiring; compare it with ./fly connectome compare\n`);
}

/** With `probe` each sound brain also runs for some seconds: does its readout notice the picture? */
export async function connectomeVerifyCommand(
  name: string | undefined,
  { probe }: { probe?: boolean } = {},
): Promise<void> {
  const home = resolveHome(process.env);
  const names =
    name === undefined ? (await listBundles(home.root)).map((bundle) => bundle.folder) : [join(home.connectomes, name)];
  let damaged = 0;
  for (const folder of names) {
    const report = await verifyBundle(folder);
    if (report.kind === 'damaged') damaged += 1;
    process.stdout.write(
      report.kind === 'sound'
        ? `sound    ${report.folder}: ${report.neurons} neurons, ${report.edges} edges, identity ${report.identity}\n`
        : `damaged  ${report.folder}: ${report.reason}\n`,
    );
    if (probe === true && report.kind === 'sound') process.stdout.write(`${await probeFolder(folder)}\n`);
  }
  if (damaged > 0)
    throw new DataError('BUNDLE_DAMAGED', `${damaged} of ${names.length} bundles are damaged; see above.`);
}

async function probeFolder(folder: string): Promise<string> {
  const connectome = await loadBundle(folder);
  const { parameters } = await readReportFacts(folder);
  const probe = await measureVision(folder, connectome, parameters);
  const eye = connectome.retina.count === 0 ? ' (this wiring has no retina columns)' : '';
  return `${probe.differs ? 'sees    ' : 'WARNING '} ${folder}: ${describeVision(probe)}${eye}`;
}

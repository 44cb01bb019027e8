import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../exit-codes.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const tool = (path: string): string => join(checkout, 'node_modules', path);

type Counts = { passed: number; failed: number; skipped: number };

/** Static checks of the whole tree; each counts as one test. */
const CHECKS: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: 'types', args: [tool('typescript/bin/tsc'), '-p', 'tsconfig.json'] },
  { name: 'types of the page', args: [tool('typescript/bin/tsc'), '-p', 'broadcast/control/page/tsconfig.json'] },
  { name: 'lint', args: [tool('eslint/bin/eslint.js'), '.', '--max-warnings=0'] },
  { name: 'format', args: [tool('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'] },
  {
    name: 'layer law',
    args: [
      tool('dependency-cruiser/bin/dependency-cruiser.mjs'),
      ...['--config', '.dependency-cruiser.cjs', '--output-type', 'err'],
      ...['components', 'engine', 'systems', 'scenes', 'broadcast', 'bin'],
    ],
  },
];

/** Runs every check and test, or only the tests whose path contains `filter`. The last line is the count. */
export async function testCommand(filter: string | undefined): Promise<void> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  if (filter === undefined) {
    for (const { name, args } of CHECKS) {
      process.stdout.write(`-- ${name}\n`);
      if ((await run(args)) === 0) counts.passed += 1;
      else {
        counts.failed += 1;
        process.stdout.write(`${name} FAILED\n`);
      }
    }
  }
  process.stdout.write('-- tests\n');
  await runTests(filter, counts);
  const { passed, failed, skipped } = counts;
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  process.exitCode = failed > 0 || passed === 0 ? EXIT.failed : EXIT.done;
}

type VitestReport = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
};

async function runTests(filter: string | undefined, counts: Counts): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fly-test-'));
  const report = join(folder, 'report.json');
  try {
    const code = await run([
      tool('vitest/vitest.mjs'),
      'run',
      ...(filter === undefined ? [] : [filter]),
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ]);
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
      await readFile(report, 'utf8'),
    ) as VitestReport;
    // A file that could not even be loaded has no test to count; it is a failure all the same.
    const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    counts.passed += numPassedTests;
    counts.failed += numFailedTests + broken;
    counts.skipped += numPendingTests;
    if (code !== 0 && numFailedTests + broken === 0) counts.failed += 1;
  } catch (error) {
    process.stdout.write(`the test runner left no report: ${String(error)}\n`);
    counts.failed += 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: checkout, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

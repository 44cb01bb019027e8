import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

test('the page type-checks against the DOM', { timeout: 60_000 }, async () => {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'broadcast/control/page/tsconfig.json'];
  const run = promisify(execFile);
  const output = await run(process.execPath, args, { cwd: ROOT }).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(output.stdout).toBe('');
});

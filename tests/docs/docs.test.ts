import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { acceptancePage } from './list-acceptance.ts';
import { errorPage } from './list-errors.ts';

test('docs/errors.md lists every error code of the sources', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorPage());
});

test('docs/acceptance.md lists what the titles of the tests prove; after a change make it again as it says', () => {
  expect(readFileSync('docs/acceptance.md', 'utf8')).toBe(acceptancePage());
});

test('no file of the project names a machine path or a package registry', async () => {
  const { execFileSync } = await import('node:child_process');
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
  const forbidden = new RegExp(['/' + 'work/', 'registry' + '\\.npmjs', 'deb' + '\\.debian'].join('|'));
  const guilty = files.filter(
    (file) =>
      /\.(ts|js|cjs|md|json|toml|css|html)$|^fly$|^\.ci/.test(file) && forbidden.test(readFileSync(file, 'utf8')),
  );
  expect(guilty).toEqual([]);
});

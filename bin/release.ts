import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** e.g. `v0.1.0`; shown in the title strip and in every status. */
export const release: string = `v${version}`;

import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A test passes because of what it checks, never because it was not run: `only` and empty files are errors.
    allowOnly: false,
    passWithNoTests: false,
  },
});

export default config;

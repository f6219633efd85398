import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What needs millions of rows: each file has one figure, which it prints. One at a time, on a machine that does nothing else. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['test/scale/**/*.scale.ts'],
    globalSetup: ['test/support/skipped-tests.ts', 'test/support/postgres.ts'],
    maxWorkers: 1,
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});

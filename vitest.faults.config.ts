import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What takes processes, load and time: real servers that are killed, frozen and flooded. One at a time. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['test/faults/**/*.faults.ts'],
    // What it looks at is not what the contract answers.
    globalSetup: ['test/support/skipped-tests.ts', 'test/support/postgres.ts'],
    maxWorkers: 1,
  },
});

import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What callers do to servers, and what others see of it: on a machine that does nothing else. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['test/attack/**/*.attack.ts', 'test/attack/**/*.short.ts'],
    globalSetup: ['test/support/skipped-tests.ts', 'test/support/postgres.ts'],
    maxWorkers: 1,
    testTimeout: 1_800_000,
    hookTimeout: 900_000,
  },
});

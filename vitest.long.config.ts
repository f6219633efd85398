import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What takes minutes of processes or of random tries, and seldom breaks alone: beside the tests, not among them. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['test/**/*.long.ts', 'test/runtime/graphql/jit.test.ts', 'test/tools/sync/sync-contract.test.ts'],
    globalSetup: ['test/support/skipped-tests.ts', 'test/support/postgres.ts'],
    env: { ...config.test?.env, THOROUGH: 'true' },
  },
});

import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What takes processes, load and time: real servers that are killed, frozen and flooded. One at a time. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['test/faults/**/*.faults.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/runtime.ts'],
    typecheck: { enabled: false },
    testTimeout: 30_000,
  },
});

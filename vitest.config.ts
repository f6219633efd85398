import { defineConfig } from 'vitest/config';

export default defineConfig({
  // As Node resolves it: two copies of graphql-js do not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/left-out.ts', 'test/support/coverage-report.ts'],
    setupFiles: ['test/support/runtime.ts'],
    typecheck: { enabled: false },
    testTimeout: 30_000,
  },
});

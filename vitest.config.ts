import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, and whatever starts processes: a worker that begins with them late would end alone. */
const SLOWEST: readonly RegExp[] = [
  /\/test\/runtime\/(?:engine\/list-cache-bytes|random-batches\.long)/,
  /\/test\/(?:scripts\/package|proving\/proof\/unseen|readers\/clients\/(?:python|java|rust|publishing|kotlin)|stranger\/|outside\/schemathesis)/,
  /\/test\/(?:runtime\/storage\/(?:releases|sqlite-pieces)|proving\/proof\/|authoring\/scaffold\/|compiler\/gate\/)/,
  /\/test\/(?:scripts|tools|proving|readers|authoring|generated)\//,
];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = SLOWEST.findIndex((pattern) => pattern.test(moduleId));
      return found < 0 ? SLOWEST.length : found;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  // As Node resolves it: two copies of graphql-js do not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/skipped-tests.ts', 'test/support/postgres.ts', 'test/support/coverage-report.ts'],
    setupFiles: ['test/support/setup.ts'],
    typecheck: { enabled: false },
    // Workers keep what they have loaded and compiled from file to file; no test changes what another sees.
    isolate: false,
    maxWorkers: 3,
    maxConcurrency: 2,
    sequence: { sequencer: SlowFirst },
    // Far more than any test takes: a busy machine makes none fail.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    // Commands do once what they do alike, as in a project: their code, and what they make of the same contract.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
      LOCKSTEP_CACHE: join(import.meta.dirname, 'node_modules/.cache/made-in-tests'),
    },
  },
});

import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** Tests of which a run of all tests tries a part. */
const SAMPLED = [
  'compiler/compile-contract',
  'compiler/gate/changes',
  'compiler/gate/release',
  'compiler/graphql/parity/parity',
  'compiler/keep',
  'runtime/graphql/jit',
  'runtime/rest/conformance',
  'runtime/storage/layouts',
  'runtime/storage/releases',
  'runtime/storage/sqlite-pieces',
  'scripts/image/verdicts',
  'readers/docs/fresh-samples',
  'readers/docs/site',
  'authoring/scaffold/new-parts',
  'authoring/scaffold/remove',
];

/** What takes minutes of processes or of random tries, and seldom breaks alone: beside the tests, not among them. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['test/**/*.long.ts', ...SAMPLED.map((name) => `test/${name}.test.ts`)],
    // Many of them wait for processes.
    maxWorkers: 3,
    // Installing packages takes minutes where nothing is cached yet.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    globalSetup: [
      'test/support/skipped-tests.ts',
      'test/support/toolchains.ts',
      'test/support/package.ts',
      'test/support/postgres.ts',
    ],
    env: { ...config.test?.env, THOROUGH: 'true' },
  },
});

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../support/folder.ts';

const FAILURES = join(import.meta.dirname, '../../.ci/failures.mjs');

/** What .ci/run tells at its end of a report of the test runner. */
const told = (testResults: readonly object[]): Promise<string> =>
  withFolder({ 'report.json': JSON.stringify({ testResults }) }, async (folder) => {
    const { stdout } = spawnSync(process.execPath, [FAILURES, join(folder, 'report.json')], { encoding: 'utf8' });
    return stdout;
  });

const failed = (fullName: string, ...failureMessages: string[]) => ({ status: 'failed', fullName, failureMessages });

it('names the tests that failed, and files that did not load', async () => {
  const passed = { status: 'passed', fullName: 'is fine', failureMessages: [] };
  const report = [
    { name: 'a.test.ts', status: 'passed', message: '', assertionResults: [passed] },
    { name: 'b.test.ts', status: 'failed', message: '', assertionResults: [passed, failed('breaks', 'No.\n at b')] },
    { name: 'c.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
  ];
  expect(await told(report)).toBe('-- b.test.ts: breaks\n   No.\n    at b\n-- c.test.ts\n   SyntaxError\n');
});

it('tells a part of very many and of very long ones', async () => {
  const tests = Array.from({ length: 32 }, (_, i) => failed(`test ${i}`, 'line\n'.repeat(100)));
  const lines = (await told([{ name: 'd.test.ts', status: 'failed', message: '', assertionResults: tests }])).split(
    '\n',
  );
  expect(lines.filter((line) => line.startsWith('--'))).toHaveLength(31);
  expect(lines.at(-2)).toBe('-- and 2 more');
  expect(lines.length).toBeLessThan(30 * 30);
});

import { expect, it } from 'vitest';
import type { Measurement } from '../../../scripts/bench/measure.ts';
import { formatRuns } from '../../../scripts/bench/report.ts';
import { run } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

const measured = (server: string, requestsPerSecond: number, cpuMicros: number): Measurement => ({
  scenario: 'get one',
  server,
  requestsPerSecond,
  cpuMicros,
  p50: 1,
  p99: 2,
  rssBytes: 0,
});

it('compares the runs in pairs: the median of their ratios, by speed and by CPU, above 1 where the present checkout is better', () => {
  const speeds = [1000, 500, 2000, 800, 900];
  const measurements = speeds.flatMap((speed) => [measured('before', speed, 100), measured('now', speed * 1.1, 80)]);
  measurements.push(measured('before', 1000, 100), measured('now', 2000, 400));
  const [headings, row] = formatRuns(measurements.slice(0, 10)).split('\n');
  expect(headings?.split(/ {2,}/)).toEqual([
    'scenario',
    'req/s now',
    'before',
    'now ÷ before',
    'of all runs',
    'CPU µs now',
    'before',
    'by CPU',
    'of all runs',
  ]);
  expect(row?.split(/ {2,}/)).toEqual([
    'get one',
    '990',
    '900',
    '1.10',
    '1.10–1.10',
    '80.0',
    '100.0',
    '1.25',
    '1.25–1.25',
  ]);
  expect(formatRuns(measurements)).toContain('1.10–2.00');
});

it('says how to make the other checkout where there is none', async () => {
  await withFolder({}, async (folder) => {
    const { code, stderr } = await run('scripts/bench.ts', ['--before', folder]);
    expect(code).toBe(1);
    expect(stderr).toContain(`--before: ${folder} has no src/main.ts.`);
    expect(stderr).toContain('git worktree add');
  });
});

it('is no comparison of another kind', async () => {
  const { code, stderr } = await run('scripts/bench.ts', ['--before', '.', '--million']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--million') });
});

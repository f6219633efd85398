import { expect, it } from 'vitest';
import { formatMapped } from '../../../scripts/bench/mapped.ts';
import { run } from '../../support/command.ts';

const measured = (server: string, cpuMicros: number) => ({
  ...{ scenario: 'get of a film', server, cpuMicros, requestsPerSecond: 1, p50: 1, p99: 2, rssBytes: 0 },
});

it('holds tables of others against those of Lockstep, and against bars', () => {
  const table = formatMapped([
    measured('managed', 90),
    measured('mapped', 100),
    measured('hashed', 90),
    measured('composite', 100),
  ]);
  const [, row = ''] = table.split('\n');
  expect(row.split(/ {2,}/)).toEqual([
    ...['get of a film', '90.0', '100.0', '90.0', '100.0'],
    ...['0.90 < 0.93', '1.00 ≥ 0.93', '0.90 ≥ 0.85'],
  ]);
});

it('needs a Postgres', async () => {
  const { code, stderr } = await run('scripts/bench.ts', ['--mapped']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--mapped needs --postgres') });
});

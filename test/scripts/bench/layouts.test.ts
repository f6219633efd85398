import { expect, it } from 'vitest';
import { formatLayouts } from '../../../scripts/bench/layouts.ts';
import { run } from '../../support/command.ts';

const measured = (server: string, cpuMicros: number) => ({
  ...{ scenario: 'get of a tenant', server, cpuMicros, requestsPerSecond: 1, p50: 1, p99: 2, rssBytes: 0 },
});

it('compares layouts by the CPU of a request, as a multiple of that on plain tables', () => {
  const table = formatLayouts([measured('tenants/8', 150), measured('plain', 100), measured('tenants', 104)]);
  expect(table.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    [
      ...['scenario', 'CPU µs plain', 'CPU µs tenants', 'CPU µs tenants/8'],
      ...['tenants ÷ plain', 'tenants/8 ÷ plain'],
    ],
    ['get of a tenant', '100.0', '104.0', '150.0', '1.04', '1.50'],
  ]);
});

it('needs a Postgres', async () => {
  const { code, stderr } = await run('scripts/bench.ts', ['--layouts']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--layouts needs --postgres') });
});

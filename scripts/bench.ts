import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchOptions } from './bench/bench-options.ts';
import { compare } from './bench/compare.ts';
import { compareInstances } from './bench/instances.ts';
import { compareSizes } from './bench/million.ts';
import { cachedList, scenarios as compared } from './bench/scenarios.ts';

const scenarios = [...compared, cachedList];
const USAGE = `usage: npm run bench -- [--seconds 4] [--rows 1000] [--connections 64] [--only "get one,create"] [--million]
                        [--postgres postgres://… [--instances]]

  --seconds      measured time per scenario and server
  --rows         products in the table
  --connections  concurrent connections, each with one request in progress
  --only         scenarios: ${scenarios.map(({ name }) => name).join(', ')}
  --postgres     URL of a server to create databases on, instead of SQLite files
  --instances    compares the throughput of one and of two instances on that Postgres
  --million      compares Lockstep on 1,000,000 rows with Lockstep on 1,000
  --cpu-prof     folder for a CPU profile of Lockstep`;

class UsageError extends Error {}

function count(name: string, value: string): number {
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} accepts a number from 1 on, not ${JSON.stringify(value)}`);
}

function scenarioNames(value: string): string[] {
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown === undefined) return names;
  throw new UsageError(`--only does not know ${JSON.stringify(unknown)}`);
}

function readFlags(): Omit<BenchOptions, 'folder'> & {
  readonly million: boolean;
  readonly instances: boolean;
} {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
  const { values } = parseArgs({
    options: {
      seconds: text('4'),
      rows: text('1000'),
      connections: text('64'),
      only: { type: 'string' },
      million: { type: 'boolean', default: false },
      postgres: { type: 'string' },
      instances: { type: 'boolean', default: false },
      'cpu-prof': { type: 'string' },
    },
  });
  const profile = values['cpu-prof'];
  return {
    seconds: count('seconds', values.seconds),
    rows: count('rows', values.rows),
    connections: count('connections', values.connections),
    only: values.only === undefined ? [] : scenarioNames(values.only),
    million: values.million,
    postgres: values.postgres,
    instances: values.instances,
    nodeFlags: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
  };
}

const folder = mkdtempSync(join(tmpdir(), 'lockstep-bench-'));
try {
  const { million, instances, ...options } = readFlags();
  if (instances && options.postgres === undefined) throw new UsageError('--instances needs --postgres');
  await (million ? compareSizes : instances ? compareInstances : compare)({ ...options, folder });
} catch (error) {
  if (!(error instanceof UsageError || error instanceof TypeError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { databaseUrl } from '../src/runtime/settings/kinds/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { choicesOption, settingOf, wholeNumber } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';
import type { BenchOptions } from './bench/bench-options.ts';
import { layoutScenarios } from './bench/layout-scenarios.ts';
import { mappedPages, mappedScenarios } from './bench/mapped-scenarios.ts';
import { peerOf, peerRequestsIn } from './bench/peers.ts';
import { cachedList, scenarios } from './bench/scenarios.ts';
import { cachedTool } from './bench/tool-scenarios.ts';

const MAX = 9_999_999;

export const command = defineCommand('bench', {
  description:
    'Compares this server with a hand-written one and with bare node:http, round by round, on the same rows. ' +
    'Run it on a machine without other work.',
  examples: [
    { what: 'two scenarios, longer than usual', args: '--only "get one,create" --seconds 10' },
    {
      what: 'one and two instances, in new databases on a Postgres',
      args: '--postgres postgres://user:password@host/database --instances',
    },
    { what: 'this checkout and the one in ../before, in turns', args: '--before ../before' },
  ],
})
  .addOption(
    new Option('--seconds <n>', 'measured time for each scenario and server').argParser(wholeNumber(1, MAX)).default(4),
  )
  .addOption(new Option('--rows <n>', 'products in the table').argParser(wholeNumber(1, MAX)).default(1_000))
  .addOption(
    new Option('--connections <n>', 'concurrent connections, each with one request in progress')
      .argParser(wholeNumber(1, MAX))
      .default(64),
  )
  .addOption(
    choicesOption(
      '--only <scenarios>',
      'measure these scenarios only, separated by commas',
      [...scenarios, cachedList, cachedTool, ...layoutScenarios, ...mappedScenarios, ...mappedPages].map(
        ({ name }) => name,
      ),
    ),
  )
  .option('--postgres <url>', 'URL of a server to create databases on, instead of SQLite files')
  .addOption(
    new Option(
      '--before <dir>',
      'compare this checkout with another one of this repository instead, in five runs',
    ).conflicts([
      'start',
      'instances',
      'layouts',
      'mapped',
      'batches',
      'orders',
      'jobs',
      'million',
      'fanout',
      'overload',
      'sockets',
      'hostile',
    ]),
  )
  .addOption(
    new Option('--peer <name=url>', 'another server on the same rows, already started; may be repeated').argParser(
      peerOf,
    ),
  )
  .option('--peer-requests <file>', 'requests of the scenarios to peers (JSON; docs/benchmarks.md)')
  .addOption(
    new Option(
      '--fill <url>',
      'only fill a database for a peer with the rows of the benchmark (sqlite:FILE or postgres://…)',
    ).argParser(settingOf(databaseUrl)),
  )
  .option('--start', 'compare the start time, the first response and the memory of servers')
  .option('--instances', 'compare the throughput of one and of two instances on that Postgres')
  .option(
    '--layouts',
    'compare the CPU of requests of tenants in each layout of tables on that Postgres, which runs here',
  )
  .option('--mapped', 'compare the CPU of reads of tables of others and of Lockstep on that Postgres, which runs here')
  .option('--batches', 'compare the CPU of creates in batches with that of as many requests')
  .option('--orders', 'compare totals with the same SQL alone, and `include` with the requests that it replaces')
  .option(
    '--jobs',
    'compare the CPU of writes that event handlers hear of with others, and of empty jobs with a loop by hand',
  )
  .option('--million', 'compare Lockstep on 1,000,000 rows with Lockstep on 1,000')
  .option('--fanout', 'measure writes while thousands of clients are subscribed to them')
  .option('--overload', 'measure responses under more requests than Lockstep can serve')
  .option('--sockets', 'measure the memory of 10,000 subscribed sockets, and of one that stops reading')
  .option(
    '--hostile',
    'measure the effect of one anonymous caller with invalid variables and expensive subscriptions on others',
  )
  .option('--cpu-prof <dir>', 'folder for a CPU profile of Lockstep')
  .action(
    async (
      {
        only = [],
        postgres,
        before,
        instances,
        layouts,
        mapped,
        batches,
        orders,
        jobs,
        million,
        fanout,
        overload,
        sockets,
        hostile,
        start,
        fill,
        peer: peers = [],
        peerRequests: file,
        cpuProf,
        ...measured
      },
      self,
    ) => {
      for (const [name, isAsked] of Object.entries({ instances, layouts, mapped }))
        if (isAsked && postgres === undefined) self.error(`error: --${name} needs --postgres`);
      const nodeFlags = cpuProf === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${cpuProf}`];
      if ((file === undefined) !== (peers.length === 0))
        self.error('error: --peer and --peer-requests belong together');
      const peerRequests = file === undefined ? {} : peerRequestsIn(file, peers);
      if (fill !== undefined) return (await import('./bench/database.ts')).fillDatabase(fill, measured.rows);
      const chosen = {
        start,
        sizes: million,
        instances,
        layouts,
        mapped,
        batches,
        orders,
        jobs,
        fanout,
        overload,
        sockets,
        hostile,
        checkouts: before,
      };
      const comparison = (Object.keys(chosen) as (keyof typeof chosen)[]).find((name) => chosen[name]) ?? 'servers';
      await inFolder((folder) =>
        run(comparison, { ...measured, only, postgres, before, nodeFlags, peers, peerRequests, folder }),
      );
    },
  );

type Comparison =
  | 'start'
  | 'sizes'
  | 'instances'
  | 'layouts'
  | 'mapped'
  | 'batches'
  | 'orders'
  | 'jobs'
  | 'fanout'
  | 'overload'
  | 'sockets'
  | 'hostile'
  | 'checkouts'
  | 'servers';

async function run(comparison: Comparison, options: BenchOptions): Promise<void> {
  switch (comparison) {
    case 'start':
      return (await import('./bench/start.ts')).compareStarts(options);
    case 'sizes':
      return (await import('./bench/million.ts')).compareSizes(options);
    case 'instances':
      return (await import('./bench/instances.ts')).compareInstances(options);
    case 'layouts':
      return (await import('./bench/layouts.ts')).compareLayouts(options);
    case 'mapped':
      return (await import('./bench/mapped.ts')).compareMapped(options);
    case 'batches':
      return (await import('./bench/batches.ts')).compareBatches(options);
    case 'orders':
      return (await import('./bench/orders.ts')).compareOrders(options);
    case 'jobs':
      return (await import('./bench/jobs.ts')).compareJobs(options);
    case 'fanout':
      return (await import('./bench/fanout.ts')).measureFanout(options);
    case 'overload':
      return (await import('./bench/overload.ts')).measureOverload(options);
    case 'sockets':
      return (await import('./bench/sockets.ts')).measureSockets(options);
    case 'hostile':
      return (await import('./bench/hostile.ts')).measureHostile(options);
    case 'checkouts':
      return (await import('./bench/before.ts')).compareWithBefore(options);
    case 'servers':
      return (await import('./bench/compare.ts')).compare(options);
  }
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) void runScript(command);

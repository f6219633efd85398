import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { layoutNamed } from '../../src/descriptor/layout.ts';
import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { secretKeys, signToken } from '../../src/runtime/auth/index.ts';
import { migrateDatabase } from '../../src/runtime/storage/database/index.ts';
import { administer, makeDatabaseOn } from '../../src/tools/postgres-database.ts';
import type { BenchOptions } from './bench-options.ts';
import { layoutScenarios } from './layout-scenarios.ts';
import { contestantsFor, LoadProcess, type Measurement, measure } from './measure.ts';
import { align } from './report.ts';
import type { Material, TenantMaterial } from './scenario.ts';
import { fromRoot, type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, SECRET } from './settings.ts';

const CONTRACTS = fromRoot('test/fixtures/workshop');
const LAYOUTS = ['plain', 'tenants', 'tenants/8'];
const TENANTS = 20;
const NO_MIGRATIONS = '/nonexistent';

/** Rows of each tenant, as SQL that fits every layout. */
const fill = (rows: number): readonly string[] => [
  `insert into workers (id, version, created_at, updated_at, tenant_id, name, email, retired)
   select md5('worker' || n)::uuid, 1, now(), now(), md5('tenant' || n)::uuid, 'Ann', 'ann@example.com', false
   from generate_series(1, ${TENANTS}) as n`,
  `insert into machines (id, version, created_at, updated_at, tenant_id, code, name, state)
   select md5(n || ' ' || m)::uuid, 1, now(), now(), md5('tenant' || n)::uuid, 'M' || m, 'lathe ' || m, 'IDLE'
   from generate_series(1, ${TENANTS}) as n, generate_series(1, ${rows}) as m`,
  'analyze',
];

/** A server on a database of one layout. */
interface Side {
  readonly layout: string;
  readonly server: ServerProcess;
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** Compares the layouts of tables of tenants, by the CPU time of the server and of Postgres together. */
export async function compareLayouts(options: BenchOptions): Promise<void> {
  const { model } = await modelContract(CONTRACTS);
  if (!model) throw new Error(`${CONTRACTS} has faults`);
  const sides: Side[] = [];
  const load = new LoadProcess();
  try {
    for (const layout of LAYOUTS) sides.push(await startSide(layout, model.resources, options));
    const material = materialOf(await tenantsIn(sides[0]!.url));
    const contestants = contestantsFor(sides.map(withBackends));
    const all: Measurement[] = [];
    const chosen = layoutScenarios.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
    for (const scenario of chosen)
      all.push(...(await measure(load, scenario, contestants, { ...options, material: () => material })));
    console.log(formatLayouts(all));
  } finally {
    load.stop();
    for (const { server, drop } of sides) {
      await server.stop();
      await drop();
    }
  }
}

async function startSide(layout: string, resources: readonly ResourceDescriptor[], options: BenchOptions) {
  const { url, drop } = await makeDatabaseOn(options.postgres!, 'bench');
  const location = { kind: 'postgres', url } as const;
  await migrateDatabase(location, { resources, layout: layoutNamed(layout) }, NO_MIGRATIONS);
  for (const statement of fill(options.rows)) await administer(url, statement);
  const environment = { ...environmentFor(join(options.folder, layout), location), CONTRACTS, MIGRATE_AT_BOOT: 'true' };
  const server = await startServer({ name: layout, entry: 'scripts/bench/contract-server.ts', environment });
  return { layout, server, url, drop };
}

const materialOf = (tenants: readonly TenantMaterial[]): Material => ({
  ...{ base: '/v1', products: [], token: '', tenants },
});

/** A token of each tenant, and the ids of its rows. */
async function tenantsIn(url: string): Promise<readonly TenantMaterial[]> {
  const rows = await administer(
    url,
    `select w.tenant_id as tenant, w.id as worker, array_agg(m.id::text) as machines
     from workers w join machines m using (tenant_id) group by 1, 2 order by 1`,
  );
  return rows.map(({ tenant, worker, machines }) => ({
    token: signToken(secretKeys(SECRET), {
      subject: 'bench',
      scopes: [],
      expiresInSeconds: 86_400,
      claims: { app: { tenant } },
    }),
    worker: String(worker),
    machines: machines as readonly string[],
  }));
}

/** The same server, whose use of CPU includes that of the processes of Postgres behind its connections. */
export function withBackends({ server, url }: Pick<Side, 'server' | 'url'>): ServerProcess {
  const { usage } = server;
  return {
    ...server,
    async usage() {
      const own = await usage();
      const backends = await administer(
        url,
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      const used = await Promise.all(backends.map(({ pid }) => microsOf(Number(pid))));
      return { ...own, cpuMicros: own.cpuMicros + used.reduce((sum, one) => sum + one, 0) };
    },
  };
}

/** The time that a process of this machine has run (Linux, proc(5): schedstat). */
export const microsOf = async (pid: number): Promise<number> =>
  Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1_000;

/** CPU time of a request in each layout, and how much more it is than on plain tables. */
export function formatLayouts(all: readonly Measurement[]): string {
  const [first = ''] = LAYOUTS;
  const rows = [...Map.groupBy(all, ({ scenario }) => scenario)].map(([scenario, measured]) => {
    const costs = LAYOUTS.map((layout) => measured.find(({ server }) => server === layout)?.cpuMicros ?? Number.NaN);
    const ratios = costs.slice(1).map((cost) => (cost / (costs[0] ?? Number.NaN)).toFixed(2));
    return [scenario, ...costs.map((cost) => cost.toFixed(1)), ...ratios];
  });
  const headings = LAYOUTS.map((layout) => `CPU µs ${layout}`);
  const times = LAYOUTS.slice(1).map((layout) => `${layout} ÷ ${first}`);
  return align([['scenario', ...headings, ...times], ...rows], 1);
}

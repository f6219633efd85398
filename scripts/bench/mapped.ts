import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { migrateDatabase } from '../../src/runtime/storage/database/index.ts';
import { administer, makeDatabaseOn } from '../../src/tools/postgres-database.ts';
import type { BenchOptions } from './bench-options.ts';
import { LoadConnection } from './connection.ts';
import { withBackends } from './layouts.ts';
import { mappedPages, mappedScenarios } from './mapped-scenarios.ts';
import { contestantsFor, LoadProcess, type Measurement, measure } from './measure.ts';
import { align } from './report.ts';
import type { Material, Scenario } from './scenario.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor } from './settings.ts';

/** Whose table it is, and what its id and its versions are made of. */
const KINDS = ['managed', 'mapped', 'hashed', 'composite'] as const;
type Kind = (typeof KINDS)[number];

/** The share of the CPU that a managed table may take, at least. */
export const BARS: Readonly<Record<string, Partial<Record<Kind, number>>>> = {
  'get of a film': { mapped: 0.93, hashed: 0.93, composite: 0.85 },
  'list of 20 films': { mapped: 0.9, hashed: 0.9, composite: 0.85 },
};
/** The CPU of the last page as a multiple of the first, at most. */
const MAX_LAST = 1.2;

const LARGE = 1_000_000;
const PAGE = 100;
const NO_MIGRATIONS = '/nonexistent';

/** Compares tables of others with tables of Lockstep, by the CPU of the server and of Postgres together. */
export async function compareMapped(options: BenchOptions): Promise<void> {
  const sides: Side[] = [];
  const load = new LoadProcess();
  const isChosen = ({ name }: Scenario): boolean => options.only.length === 0 || options.only.includes(name);
  try {
    for (const kind of KINDS) sides.push(await startSide(kind, options.rows, options));
    console.log(formatMapped(await measured(load, mappedScenarios.filter(isChosen), sides, options)));
    if (!mappedPages.some(isChosen)) return;
    console.log(`filling tables with ${LARGE.toLocaleString('en')} rows`);
    const large: Side[] = [];
    for (const kind of ['mapped', 'composite'] as const) large.push(await startSide(kind, LARGE, options));
    sides.push(...large);
    console.log(formatPages(await measured(load, mappedPages, large, options)));
  } finally {
    load.stop();
    for (const { server, drop } of sides) {
      await server.stop();
      await drop();
    }
  }
}

interface Side {
  readonly server: ServerProcess;
  readonly url: string;
  readonly material: Material;
  readonly drop: () => Promise<void>;
}

async function measured(
  load: LoadProcess,
  scenarios: readonly Scenario[],
  sides: readonly Side[],
  options: BenchOptions,
): Promise<Measurement[]> {
  const servers = new Map(sides.map((side) => [withBackends(side), side.material]));
  const all: Measurement[] = [];
  for (const scenario of scenarios)
    all.push(
      ...(await measure(load, scenario, contestantsFor([...servers.keys()]), {
        ...options,
        material: (server) => servers.get(server)!,
      })),
    );
  return all;
}

async function startSide(kind: Kind, rows: number, options: BenchOptions): Promise<Side> {
  const contracts = join(options.folder, `${kind}-${rows}`, 'contracts');
  mkdirSync(contracts, { recursive: true });
  writeFileSync(join(contracts, 'openapi.yaml'), stringify(documentOf(kind)));
  const { model, findings } = await modelContract(contracts);
  if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
  const { url, drop } = await makeDatabaseOn(options.postgres!, 'bench');
  const location = { kind: 'postgres', url } as const;
  if (kind !== 'managed') await administer(url, TABLES[kind]);
  await migrateDatabase(location, { resources: model.resources }, NO_MIGRATIONS);
  await administer(url, fillOf(kind, rows));
  await administer(url, 'vacuum analyze');
  const settings = environmentFor(join(options.folder, `${kind}-${rows}`), location);
  const environment = { ...settings, CONTRACTS: contracts, MIGRATE_AT_BOOT: 'true' };
  const server = await startServer({ name: kind, entry: 'scripts/bench/contract-server.ts', environment });
  const material = { base: '/v1', token: '', products: idsOf(kind, Math.min(rows, 1_000)) };
  return { server, url, drop, material: rows === LARGE ? await withLastPage(server, material, rows) : material };
}

/** Ids of rows, of which the first part says which thousand they are in. */
const idsOf = (kind: Kind, count: number): Material['products'] =>
  Array.from({ length: count }, (_, i) => ({
    id: kind === 'composite' ? `B${Math.floor((i + 1) / 1_000)}~${i + 1}` : String(i + 1),
    version: 1,
  }));

/** Follows the pages, because cursors cannot be forged. */
async function withLastPage(server: ServerProcess, material: Material, rows: number): Promise<Material> {
  const connection = await LoadConnection.open(server.port);
  let deepPage = '';
  for (let seen = 0; seen < rows - PAGE; seen += PAGE) {
    const target = `/v1/films?limit=${PAGE}${deepPage && `&cursor=${deepPage}`}`;
    const { body } = await connection.send(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    deepPage = (JSON.parse(body) as { page: { nextCursor: string } }).page.nextCursor;
  }
  connection.close();
  return { ...material, deepPage };
}

const COLUMNS = `title text not null, rating text not null, length integer not null, rate numeric(6, 2) not null,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now()`;

const TABLES: Readonly<Record<Exclude<Kind, 'managed'>, string>> = {
  mapped: `create schema shop; create table shop.film (id integer primary key, lock_version integer not null, ${COLUMNS})`,
  hashed: `create schema shop; create table shop.film (id integer primary key, ${COLUMNS})`,
  composite: `create schema shop; create table shop.film (branch text not null, number integer not null,
    lock_version integer not null, ${COLUMNS}, primary key (branch, number))`,
};

const KEYS: Readonly<Record<Kind, readonly [columns: string, values: string]>> = {
  managed: ['id, version', 'n, 1'],
  mapped: ['id, lock_version', 'n, 1'],
  hashed: ['id', 'n'],
  composite: ['branch, number, lock_version', "'B' || n / 1000, n, 1"],
};

function fillOf(kind: Kind, rows: number): string {
  const [columns, values] = KEYS[kind];
  return `insert into ${kind === 'managed' ? 'films' : 'shop.film'} (${columns}, title, rating, length, rate, created_at, updated_at)
    select ${values}, 'The film number ' || n, 'PG', n % 200, 2.99, now(), now() from generate_series(1, ${rows}) as n`;
}

/** The same resource, in a table of Lockstep or of others. */
function documentOf(kind: Kind): object {
  const isMapped = kind !== 'managed';
  const text = (maxLength: number) => ({ type: 'string', maxLength });
  const time = { type: 'string', format: 'date-time' };
  const id = kind === 'composite' ? { ...text(40), 'x-column': ['branch', 'number'] } : { type: 'integer' };
  const parts = kind === 'composite' ? { branch: text(10), number: { type: 'integer' } } : {};
  const counted = { type: 'integer', ...(isMapped && { 'x-column': 'lock_version' }) };
  const properties = {
    id,
    version: kind === 'hashed' ? { type: 'string' } : counted,
    ...parts,
    title: text(80),
    rating: text(5),
    length: { type: 'integer' },
    rate: { type: 'string', format: 'decimal', maxLength: 12 },
    createdAt: time,
    updatedAt: time,
  };
  const film = {
    ...(isMapped && { 'x-table': { schema: 'shop', name: 'film' } }),
    type: 'object',
    required: Object.keys(properties),
    properties,
  };
  const answer = (schema: object) => ({
    responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
  });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const query = (name: string, schema: object) => ({ name, in: 'query', schema });
  return {
    openapi: '3.1.0',
    info: { title: 'Films', version: '1.0.0' },
    servers: [{ url: '/v1' }],
    security: [],
    paths: {
      '/films': {
        get: {
          operationId: 'listFilms',
          summary: 'List',
          parameters: [
            query('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
            query('cursor', text(1_000)),
          ],
          ...answer(ref('FilmPage')),
        },
      },
      '/films/{filmId}': {
        parameters: [{ name: 'filmId', in: 'path', required: true, schema: { ...id, 'x-column': undefined } }],
        get: { operationId: 'getFilm', summary: 'Get', ...answer(ref('Film')) },
      },
    },
    components: {
      schemas: {
        Film: film,
        FilmPage: {
          type: 'object',
          required: ['data', 'page'],
          properties: { data: { type: 'array', maxItems: 100, items: ref('Film') }, page: ref('PageInfo') },
        },
        PageInfo: {
          type: 'object',
          required: ['nextCursor'],
          properties: { nextCursor: { type: ['string', 'null'], maxLength: 1_000 } },
        },
      },
    },
  };
}

/** CPU time of a request on each kind of table, and the share of it that the managed one takes, with its bar. */
export function formatMapped(all: readonly Measurement[]): string {
  const rows = [...Map.groupBy(all, ({ scenario }) => scenario)].map(([scenario, measurements]) => {
    const costs = KINDS.map((kind) => measurements.find(({ server }) => server === kind)?.cpuMicros ?? Number.NaN);
    const shares = KINDS.slice(1).map((kind, i) => {
      const share = (costs[0] ?? Number.NaN) / (costs[i + 1] ?? Number.NaN);
      const bar = BARS[scenario]?.[kind] ?? 0;
      return `${share.toFixed(2)} ${share >= bar ? '≥' : '<'} ${bar}`;
    });
    return [scenario, ...costs.map((cost) => cost.toFixed(1)), ...shares];
  });
  const headings = KINDS.map((kind) => `CPU µs ${kind}`);
  const shares = KINDS.slice(1).map((kind) => `managed ÷ ${kind}`);
  return align([['scenario', ...headings, ...shares], ...rows], 1);
}

function formatPages(all: readonly Measurement[]): string {
  const rows = [...Map.groupBy(all, ({ server }) => server)].map(([server, pages]) => {
    const [first, last] = mappedPages.map(({ name }) => pages.find(({ scenario }) => scenario === name)?.cpuMicros);
    const times = (last ?? Number.NaN) / (first ?? Number.NaN);
    const said = `${times.toFixed(2)} ${times <= MAX_LAST ? '≤' : '>'} ${MAX_LAST}`;
    return [server, (first ?? Number.NaN).toFixed(1), (last ?? Number.NaN).toFixed(1), said];
  });
  return align([['1,000,000 rows', 'CPU µs first page', 'CPU µs last page', 'last ÷ first'], ...rows], 1);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { migrateDatabase } from '../../src/runtime/storage/database/database.ts';
import { openPostgresStore } from '../../src/runtime/storage/postgres/postgres-store.ts';
import { administer } from '../../src/tools/postgres-database.ts';
import type { DatabaseKind } from './databases.ts';
import { STATEMENT_TIMEOUT_MS } from './databases.ts';
import { withFolder } from './folder.ts';
import { borrowEmptyDatabase } from './postgres.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests edit any part of it
type Document = any;

const folder = join(import.meta.dirname, '../fixtures/trade');
const WRITES = ['post', 'put', 'patch', 'delete'];

/** The contract `trade` without what writes. `change`: the document, and `inSdl` the SDL, before they are compiled. */
export async function readingTrade(
  change: (document: Document) => void = () => {},
  inSdl = (sdl: string): string => sdl,
): Promise<CompiledContract> {
  const document = parse(await readFile(join(folder, 'openapi.yaml'), 'utf8'));
  for (const item of Object.values<Record<string, unknown>>(document.paths))
    for (const method of WRITES) delete item[method];
  for (const name of Object.keys(document.components.schemas))
    if (/(?:Input|Patch)$/.test(name)) delete document.components.schemas[name];
  change(document);
  const sdl = await readFile(join(folder, 'schema.graphql'), 'utf8');
  const reading = sdl
    .replace(/^\s*mutation: Mutation\n/m, '')
    .replace(/(?:"{1,3}[^"]*"{1,3}\s*)?(?:type Mutation|input \w+(?:Input|Patch)) \{[\s\S]*?\n\}\n/g, '');
  return withFolder({ 'openapi.yaml': stringify(document), 'schema.graphql': inSdl(reading) }, async (path) => {
    const { model, findings } = await modelContract(path);
    if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
    return model;
  });
}

/** SQL of the tables that `trade` maps. */
export const tradeFile = (): Promise<string> => readFile(join(folder, 'tables.sql'), 'utf8');

/** SQL of rows of most of them, with values that only such tables have. */
export const TRADE_ROWS = `
insert into shop.customers (code, "Company Name", tier, joined, email, address, opens, "visit.every", rating, settings, called) values
  ('ALFKI', 'Alfreds', 'gold', '2020-01-02', 'A@example.org', '10.0.0.1', '09:30', 'P1M', 1.5, '{"a": [1]}', '2020-01-01 10:00:00.123456'),
  ('BONAP', 'Bon app''', 'silver', null, null, null, null, null, null, null, null),
  ('CHOPS', 'Chop-suey', 'silver', '2020-01-02', 'b@example.org', '10.0.0.0/8', '24:00', 'P1DT2H', 'NaN', '{}', null);
insert into shop.orders (shop_code, number, customer, placed, freight) values
  ('B~1', 7, 'ALFKI', '2024-05-01 10:00:00.123456+00', 1.50), ('B~1', 8, 'ALFKI', '2024-05-01 10:00:00.123457+00', null),
  ('C', 7, 'BONAP', now(), 3);
insert into shop."Order Lines" (shop_code, number, "Line No", "Unit Price", packed, tags, replaced) values
  ('B~1', 7, 1, 1.25, '2024-05-01 10:00:00.5', '{a,b}', 8), ('B~1', 7, 2, 2.25, '2024-05-01 10:00:00', null, null);
insert into shop.notes (shop_code, number, text) values ('B~1', 7, 'soon'), ('C', 7, 'late');
`;

/** A database of its own with the tables that `trade` maps; its URL, and how to give it back. */
export async function tradeTables(): ReturnType<typeof borrowEmptyDatabase> {
  const database = await borrowEmptyDatabase();
  await administer(database.url, 'drop schema if exists shop cascade');
  await administer(database.url, await tradeFile());
  return database;
}

/** These tables under a server that has tables of its own beside them. `prepare`: SQL that runs before it starts. */
export const tradeDatabase = (prepare = ''): DatabaseKind & { url: string } => {
  const kind = {
    name: 'Postgres with tables of others',
    url: '',
    async open(resources: Parameters<DatabaseKind['open']>[0]) {
      const { url, giveBack } = await tradeTables();
      kind.url = url;
      if (prepare) await administer(url, prepare);
      await migrateDatabase({ kind: 'postgres', url }, { resources }, join(folder, 'migrations'));
      const store = await openPostgresStore({ url, resources, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
      return {
        store,
        async close() {
          await store.close();
          await giveBack();
        },
      };
    },
  };
  return kind;
};

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { basePathOf } from '../../../src/descriptor/base-path.ts';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import { secretKeys } from '../../../src/runtime/auth/keys.ts';
import { signToken } from '../../../src/runtime/auth/sign-token.ts';
import { openDatabase } from '../../../src/runtime/open-database.ts';
import { createServer } from '../../../src/runtime/server.ts';
import { readConfig } from '../../../src/runtime/settings/config.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { withFolder } from '../../support/folder.ts';
import { pinoLines } from '../../support/log-lines.ts';
import { hasPostgres, SERVER } from '../../support/postgres.ts';
import { databaseOf, importInto } from './support.ts';

const SECRET = '0123456789abcdef'.repeat(4);
const keys = secretKeys(SECRET);
/** Served with the grants of docs/adopting.md. */
const SCHEMAS = { rentals: ['public'], traders: ['trade', 'archive'] } as const;

const dumpOf = (url: string): string =>
  execFileSync('pg_dump', ['--schema-only', '--restrict-key=x', url], { encoding: 'utf8' });

async function importedFrom(url: string): Promise<CompiledContract> {
  return withFolder({}, async (folder) => {
    const { code, stderr } = await importInto(folder, url);
    expect(code, stderr).toBe(0);
    return (await modelContract(folder)).model!;
  });
}

describe.runIf(hasPostgres).each(['rentals', 'traders'] as const)('an imported contract of %s', (name) => {
  it('is served to a role that may only select, changes nothing, and starts without a warning', async () => {
    const url = await databaseOf(`${name}.sql`);
    const role = `lockstep_select_${name}_${process.pid}`;
    const { log, entries } = pinoLines('warn');
    try {
      await administer(url, `create role ${role} login password 'secret'`);
      for (const schema of SCHEMAS[name])
        await administer(
          url,
          `grant usage on schema ${schema} to ${role}; grant select on all tables in schema ${schema} to ${role}`,
        );
      const before = dumpOf(url);
      const contract = await importedFrom(url);
      const reader = Object.assign(new URL(url), { username: role, password: 'secret' }).href;
      const settings = { DATABASE_URL: reader, SERVE_READS_ONLY: 'true', LOCKSTEP_SECRET: SECRET };
      const store = await openDatabase(readConfig({ DATABASE_CONNECTIONS: '2', ...settings }), contract, log);
      const app = await createServer({ contract, store, servesReadsOnly: true, authentication: { keys } });
      const scopes = contract.resources.map(({ key }) => key);
      const read = async (path: string) => {
        const headers = { authorization: `Bearer ${tokenFor(contract)}` };
        return (await app.inject({ url: basePathOf(contract.document) + path, headers })).json();
      };
      let rows = 0;
      for (const { path, parent } of contract.resources) {
        if (parent) continue;
        const { data } = await read(path);
        expect(data, path).toBeInstanceOf(Array);
        for (const row of data.slice(0, 1)) expect(await read(`${path}/${encodeURIComponent(row.id)}`)).toEqual(row);
        rows += data.length;
      }
      expect(rows).toBeGreaterThan(5);
      expect(scopes.length).toBeGreaterThan(5);
      await app.close();
      await store.close();
      const said = entries.map(({ msg }) => String(msg));
      expect(said.filter((text) => !text.includes('columns that the contract lacks'))).toEqual([]);
      expect(dumpOf(url)).toBe(before);
    } finally {
      await administer(url, `drop owned by ${role}; drop role ${role}`);
    }
  });

  it('is proved on the tables and rows of that database', async () => {
    const url = await databaseOf(`${name}.sql`);
    const contract = await importedFrom(url);
    const tables = join(import.meta.dirname, '../../fixtures/databases', `${name}.sql`);
    const record = await prove({ contract, samples: 1, database: SERVER, tables });
    expect(record.differences).toEqual([]);
    expect(record.succeeded).toBeGreaterThan(100);
  });
});

const ODD = `
  create extension citext;
  create schema odd;
  create table odd.regions (code char(4) primary key, name citext not null unique);
  create table odd.shops (
    region char(4) not null references odd.regions, name citext not null, no smallint not null,
    totals bigint[], rates numeric(8, 3)[], codes char(3)[], primary key (region, name, no));
  insert into odd.regions values ('EU', 'Europe'), ('ASIA', 'Asia');
  insert into odd.shops select 'EU', 'Roma', n, '{1,9007199254740993}', '{1.50,2}', '{a,bcd}' from generate_series(1, 2) n`;

describe.runIf(hasPostgres)('an imported contract of columns whose values have several texts', () => {
  it('answers each row by the id that it has, and arrays as their items are declared', async () => {
    const url = await databaseOf(ODD);
    const { log } = pinoLines('warn');
    const contract = await importedFrom(url);
    const settings = { DATABASE_URL: url, SERVE_READS_ONLY: 'true', LOCKSTEP_SECRET: SECRET };
    const store = await openDatabase(readConfig({ DATABASE_CONNECTIONS: '2', ...settings }), contract, log);
    const app = await createServer({ contract, store, servesReadsOnly: true, authentication: { keys } });
    const headers = { authorization: `Bearer ${tokenFor(contract)}` };
    const get = (path: string) => app.inject({ url: basePathOf(contract.document) + path, headers });
    const ask = async (query: string) =>
      (await app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } })).json();
    const shop = { id: 'EU~Roma~1', regionId: 'EU', totals: ['1', '9007199254740993'], codes: ['a', 'bcd'] };
    expect((await get('/shops/EU~Roma~1')).json()).toMatchObject({ ...shop, rates: ['1.500', '2.000'] });
    expect((await get('/regions/EU')).json()).toMatchObject({ id: 'EU', name: 'Europe' });
    for (const id of ['EU%20~Roma~1', 'EU~roma~1', 'EU~Roma~01'])
      expect((await get(`/shops/${id}`)).statusCode).toBe(404);
    const idsOf = async (filter: string) =>
      (await get(`/shops?${filter}`)).json().data.map(({ id }: { id: string }) => id);
    expect(await idsOf('regionId=EU')).toEqual(['EU~Roma~1', 'EU~Roma~2']);
    const { data } = await ask('{ shop(id: "EU~Roma~1") { id totals region { name } } }');
    expect(data).toEqual({ shop: { id: shop.id, totals: shop.totals, region: { name: 'Europe' } } });
    // Of the other spellings, none is a row's.
    const condition = (ids: readonly string[]) => [{ property: 'id', operator: 'in', value: ids }] as const;
    // Of many, the values are one argument.
    const many = (id: string) => condition([id, ...Array.from({ length: 40 }, (_, i) => `EU~Roma~${i + 100}`)]);
    for (const conditions of [condition(['EU~Roma~1']), many('EU~Roma~1')])
      expect(await store.count('shops', conditions)).toBe(1);
    for (const conditions of [condition(['EU ~Roma~1']), many('EU~roma~1')])
      expect(await store.count('shops', conditions)).toBe(0);
    await app.close();
    await store.close();
  });
});

function tokenFor({ resources }: CompiledContract): string {
  const scopes = resources.flatMap(({ path }) => [`${path.split('/').at(-1)}:read`]);
  return signToken(keys, { subject: 'reader', scopes, expiresInSeconds: 3_600, now: new Date() });
}

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import { administer } from '../../../../src/tools/postgres-database.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../../support/pgbouncer.ts';
import { hasPostgres, makeDatabase, SERVER } from '../../../support/postgres.ts';
import { admin, startClinic } from '../../../support/ruled-clinic.ts';
import { contractOf, type Service, startCompiled } from '../../../support/service.ts';

const NOTHING = { handWritten: [] };

/** An empty database with an encoding. */
async function encodedDatabase(encoding: string) {
  const name = `lockstep_test_${randomBytes(8).toString('hex')}`;
  await administer(
    SERVER,
    `create database ${name} template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`,
  );
  const url = SERVER.replace(/\/[^/]*$/, `/${name}`);
  return { url, drop: () => administer(SERVER, `drop database ${name} with (force)`) };
}

const served = async (url: string): Promise<Service> => {
  const contract = await contractOf('cats');
  return startCompiled(contract, {
    name: 'Postgres',
    async open(resources) {
      const store = await openPostgresStore({ url, resources });
      return { store, close: async () => store.close() };
    },
  });
};

describe.skipIf(!hasPostgres)('a Postgres with an encoding', () => {
  it('that cannot hold every text is refused when it is new, and in use gets a warning', async () => {
    const { resources } = await contractOf('cats');
    const { url, drop } = await encodedDatabase('LATIN1');
    const migrated = () => lockedPostgres(url, (target) => migrate(target, { resources, ...NOTHING }));
    await expect(migrated()).rejects.toThrow('The database has the encoding LATIN1, which cannot hold every text.');
    expect(await administer(url, "select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
    await lockedPostgres(url, (target) =>
      migrate({ ...target, narrowEncoding: async () => undefined }, { resources, ...NOTHING }),
    );
    const { remarks } = await migrated();
    expect(remarks.map(({ what }) => what)).toEqual([expect.stringContaining('the encoding LATIN1')]);
    const service = await served(url);
    const create = (name: string) => service.request('POST', '/v1/cats', { body: { name, colour: 'BLACK' } });
    expect((await create('Zoë')).status).toBe(201);
    const { status, body } = await create('Лев');
    expect([status, body.code, body.detail]).toEqual([
      400,
      'VALIDATION_FAILED',
      'A text has a character that the database cannot hold.',
    ]);
    const { errors } = await service.graphql('mutation { createCat(input: { name: "猫", colour: BLACK }) { id } }');
    expect(errors![0]!.extensions.code).toBe('VALIDATION_FAILED');
    await service.close();
    await drop();
  });

  it('that cannot hold every text refuses to look for one', async () => {
    const { url, drop } = await encodedDatabase('LATIN1');
    const service = await startClinic({
      name: 'Postgres',
      async open(resources) {
        await lockedPostgres(url, (target) =>
          migrate({ ...target, narrowEncoding: async () => undefined }, { resources, ...NOTHING }),
        );
        const store = await openPostgresStore({ url, resources });
        return { store, close: async () => store.close() };
      },
    });
    const filters = (text: string) => [
      [{ name: { eq: text } }, `name: { eq: "${text}" }`],
      [{ not: { name: { contains: text } } }, `not: { name: { contains: "${text}" } }`],
      [{ friends: { some: { name: { in: [text] } } } }, `friends: { some: { name: { in: ["${text}"] } } }`],
    ];
    for (const [text, status] of [
      ['Zoë', 200],
      ['Лев', 400],
    ] as const)
      for (const [json, sdl] of filters(text)) {
        const path = `/v1/patients?filter=${encodeURIComponent(JSON.stringify(json))}`;
        const rest = await service.request('GET', path, { as: admin });
        const graphql = await service.graphql(`{ patients(filter: { ${sdl} }) { nodes { id } } }`, { as: admin });
        const code = status === 200 ? undefined : 'VALIDATION_FAILED';
        expect([json, rest.status, rest.body.code]).toEqual([json, status, code]);
        expect([json, graphql.errors?.[0]?.extensions.code]).toEqual([json, code]);
      }
    await service.close();
    await drop();
  });

  it('that cannot hold every text refuses to search in words', async () => {
    const { resources } = await contractOf('cats');
    const searched = resources.map((resource) => ({ ...resource, list: { ...resource.list!, search: ['name'] } }));
    const { url, drop } = await encodedDatabase('LATIN1');
    const wide = { narrowEncoding: async () => undefined };
    await lockedPostgres(url, (target) => migrate({ ...target, ...wide }, { resources, ...NOTHING }));
    const migrated = lockedPostgres(url, (target) => migrate(target, { resources: searched, ...NOTHING }));
    await expect(migrated).rejects.toThrow('The search of cats (x-search) needs the encoding UTF8');
    await drop();
  });

  it('that keeps bytes holds every text', async () => {
    const { resources } = await contractOf('cats');
    const { url, drop } = await encodedDatabase('SQL_ASCII');
    await lockedPostgres(url, (target) => migrate(target, { resources, ...NOTHING }));
    const service = await served(url);
    expect((await service.request('POST', '/v1/cats', { body: { name: 'Лев', colour: 'BLACK' } })).body.name).toBe(
      'Лев',
    );
    await service.close();
    await drop();
  });
});

/** What a role, or a database, may have set. */
const SETTINGS = {
  DateStyle: 'SQL, DMY',
  TimeZone: 'America/New_York',
  IntervalStyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-10',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'serializable',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  array_nulls: 'off',
  exit_on_error: 'on',
  lock_timeout: '1ms',
};

describe.skipIf(!hasPgBouncer)('settings of a database that change what SQL means', () => {
  let direct: string;
  let bouncer: PgBouncer;
  beforeAll(async () => {
    direct = await makeDatabase();
    for (const [name, value] of Object.entries(SETTINGS))
      await administer(
        direct,
        `do $$ begin execute format('alter database %I set ${name} = ''${value}''', current_database()); end $$`,
      );
    bouncer = await startPgBouncer(direct, 'transaction');
  });
  afterAll(async () => {
    await bouncer.close();
  });

  it.each(['itself', 'a pooler before it'])('change no answer of %s', async (way) => {
    const url = way === 'itself' ? direct : bouncer.through(direct);
    const { resources } = await contractOf('cats');
    await lockedPostgres(url, (target) => migrate(target, { resources, ...NOTHING }));
    const again = await lockedPostgres(url, (target) => migrate(target, { resources, ...NOTHING }));
    expect(again.done).toEqual([]);
    const store = await openPostgresStore({ url, resources });
    expect(await store.secret('cursor')).toHaveLength(32);
    await store.close();
    const service = await served(url);
    const created = await service.request('POST', '/v1/cats', {
      body: { name: 'a\\nb', colour: 'BLACK', bornOn: '2020-02-03' },
    });
    expect(created.body).toMatchObject({ name: 'a\\nb', bornOn: '2020-02-03', createdAt: service.now });
    const read = await service.request('GET', `/v1/cats/${created.body.id}`);
    expect(read.body).toEqual(created.body);
    const many = Array.from({ length: 5 }, (_, i) =>
      service.request('PATCH', `/v1/cats/${created.body.id}`, { body: { name: `Tom ${i}` } }),
    );
    for (const { status } of await Promise.all(many)) expect(status).toBe(200);
    await service.close();
  });
});

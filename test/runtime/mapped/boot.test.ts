import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { secretKeys } from '../../../src/runtime/auth/keys.ts';
import { signToken } from '../../../src/runtime/auth/sign-token.ts';
import { explainBootFault } from '../../../src/runtime/boot-fault.ts';
import { openDatabase } from '../../../src/runtime/open-database.ts';
import { createServer } from '../../../src/runtime/server.ts';
import { readConfig } from '../../../src/runtime/settings/config.ts';
import { driftIn } from '../../../src/runtime/storage/database/database.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { withFolder } from '../../support/folder.ts';
import { pinoLines } from '../../support/log-lines.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { contractOf } from '../../support/service.ts';
import { readingTrade, tradeTables } from '../../support/trade.ts';

const { log, entries } = pinoLines('warn');
const SECRET = '0123456789abcdef'.repeat(4);
const READER = { SERVE_READS_ONLY: 'true', LOCKSTEP_SECRET: SECRET };
const reading = await readingTrade();

describe.skipIf(!hasPostgres)('a start on tables of others', () => {
  let database: Awaited<ReturnType<typeof tradeTables>>;
  beforeEach(async () => {
    database = await tradeTables();
    entries.length = 0;
  });
  afterEach(() => database.giveBack());

  const open = (environment: Readonly<Record<string, string>> = READER, contract: CompiledContract = reading) =>
    openDatabase(readConfig({ DATABASE_URL: database.url, DATABASE_CONNECTIONS: '2', ...environment }), contract, log);
  const fault = (environment?: Readonly<Record<string, string>>, contract?: CompiledContract) =>
    open(environment, contract).then(
      () => 'it has started',
      (error) => explainBootFault(error) ?? error,
    );
  const sql = (text: string) => administer(database.url, text);
  const dump = () =>
    execFileSync('pg_dump', ['-s', '--no-comments', database.url], { encoding: 'utf8' }).replace(/^\\.*$/gm, '');

  it('that only reads changes nothing, and needs no right but to select', async () => {
    const role = `lockstep_reader_${process.pid}`;
    await sql(`create role ${role} login password 'secret'`);
    try {
      await sql(`grant usage on schema shop to ${role}; grant select on all tables in schema shop to ${role}`);
      await sql("insert into shop.customers (code, \"Company Name\") values ('ALFKI', 'Alfreds')");
      const before = dump();
      const url = new URL(database.url);
      [url.username, url.password] = [role, 'secret'];
      const store = await open({ ...READER, DATABASE_URL: url.href });
      const app = await createServer({
        contract: reading,
        store,
        servesReadsOnly: true,
        authentication: { keys: secretKeys(SECRET) },
      });
      const reply = await app.inject('/v1/customers/ALFKI');
      expect(reply.statusCode).toBe(200);
      await app.close();
      await store.close();
      expect(dump()).toBe(before);
    } finally {
      await sql(`drop owned by ${role}; drop role ${role}`);
    }
  });

  it('has the versions of another start with the same secret', async () => {
    await sql("insert into shop.customers (code, \"Company Name\") values ('ALFKI', 'Alfreds')");
    const versions: unknown[] = [];
    for (const secret of [SECRET, SECRET, 'f'.repeat(64)]) {
      const store = await open({ ...READER, LOCKSTEP_SECRET: secret });
      versions.push((await store.get('customers', 'ALFKI'))![1]);
      await store.close();
    }
    expect(versions[0]).toBe(versions[1]);
    expect(versions[2]).not.toBe(versions[0]);
  });

  it('has another version of a row where two neighbours have exchanged null and an empty text', async () => {
    const contract = await readingTrade(({ components }) => {
      components.schemas.Customer.properties.address['x-column'] = 'internal_note';
    });
    await sql(`insert into shop.customers (code, "Company Name", email) values ('ALFKI', 'Alfreds', '')`);
    const store = await open(READER, contract);
    const before = await store.get('customers', 'ALFKI');
    await sql("update shop.customers set email = null, internal_note = ''");
    expect((await store.get('customers', 'ALFKI'))?.[1]).not.toBe(before?.[1]);
    await store.close();
  });

  it('warns of orders and filters that no index serves, with an index that would', async () => {
    await sql('drop index shop.orders_placed, shop.orders_customer');
    await (await open()).close();
    const said = entries.map(({ msg }) => msg);
    expect(said).toContainEqual(expect.stringContaining('create index on "shop"."orders" ("placed");'));
    expect(said).toContainEqual(expect.stringContaining('the filter by Order.customerId'));
    const unnamed = expect.stringContaining('columns that the contract lacks: "internal_note"');
    expect(said).not.toContainEqual(unnamed);
    const checked = await driftIn({ kind: 'postgres', url: database.url }, reading.resources);
    expect(checked.map(({ what }) => what)).toContainEqual(unnamed);
  });

  it.each([
    ['drop table shop.notes', 'shop.notes (Note) is not there'],
    ['alter table shop.notes drop text', 'Note.text has the column "text", which is not there'],
    [
      'alter table shop.customers alter points type integer',
      'Customer.points is int64, but "points" is integer: write `type: integer`',
    ],
    ['alter table shop.customers alter tier drop not null', 'Customer.tier is required, but "tier" may be null'],
    ["alter type shop.tier add value 'bronze'", 'Customer.tier lacks the values bronze of shop.tier'],
    [
      'alter table shop.notes drop constraint notes_pkey; alter table shop.notes add primary key (note_id, number)',
      'Note.id is not the primary key ("note_id", "number")',
    ],
    [
      'alter table shop."Order Lines" alter packed type timestamptz',
      'OrderLine.packedAt is date-time, but "packed" is timestamp with time zone',
    ],
  ])('is refused after %s', async (change, said) => {
    await sql(change);
    expect(await fault()).toContain(said);
  });

  it('is refused if the enum of the items of an array lacks a label', async () => {
    const contract = await readingTrade(
      ({ components }) => {
        components.schemas.OrderLine.properties.tags.items = { type: 'string', enum: ['gold', 'silver'] };
      },
      (sdl) => sdl.replace('tags: [String', 'tags: [CustomerTier'),
    );
    await sql('alter table shop."Order Lines" alter tags type shop.tier[] using tags::shop.tier[]');
    await (await open(READER, contract)).close();
    await sql("alter type shop.tier add value 'bronze'");
    expect(await fault(READER, contract)).toContain(
      'OrderLine.tags lacks the values bronze of shop.tier[]: add them to the enum of its items',
    );
  });

  it.each([{}, { LOCKSTEP_SCHEMA: 'lockstep' }])('that is refused has made nothing, %o', async (places) => {
    await sql('drop table shop.notes');
    const before = dump();
    expect(await fault({ MIGRATE_AT_BOOT: 'true', ...places })).toContain('shop.notes (Note) is not there');
    expect(dump()).toBe(before);
  });

  it('is refused without a right, which it names', async () => {
    const role = `lockstep_blind_${process.pid}`;
    await sql(`create role ${role} login password 'secret'`);
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'secret'];
    expect(await fault({ ...READER, DATABASE_URL: url.href })).toContain('grant usage on its schema');
    await sql(`grant usage on schema shop to ${role}`);
    expect(await fault({ ...READER, DATABASE_URL: url.href })).toContain('grant select on it');
    await sql(`drop owned by ${role}; drop role ${role}`);
  });

  describe('that writes', () => {
    const writing = async () => fault({ MIGRATE_AT_BOOT: 'true' }, await contractOf('trade'));

    it.each([
      ['alter table shop.customers add region text not null', 'requires "region", which no create fills in'],
      [
        'alter table shop."Order Lines" drop constraint "Order Lines_shop_code_replaced_fkey"',
        'OrderLine.replacesId has no foreign key to shop.orders',
      ],
      [
        `alter table shop.orders drop constraint orders_customer_fkey,
           add foreign key (customer) references shop.customers on delete cascade`,
        'Order.customerId is restrict on delete, but the foreign key is cascade: write `x-on-delete: cascade`',
      ],
      [
        'alter table shop.customers drop email, add email text generated always as (code) stored',
        'Customer.email is written, but the database generates "email"',
      ],
    ])('is refused after %s', async (change, said) => {
      await sql(change);
      expect(await writing()).toContain(said);
      expect(await fault()).toBe('it has started');
    });

    it('accepts a column that an override may fill in, and warns', async () => {
      await sql('alter table shop.orders alter placed drop default');
      expect(await writing()).toBe('it has started');
      expect(entries.map(({ msg }) => msg)).toContain(
        'shop.orders: Order.placed requires "placed", which inputs lack: an override of create has to give it.',
      );
    });

    it('accepts a column that a trigger may fill in', async () => {
      await sql(`alter table shop.customers add region text not null;
        create function shop.fill() returns trigger language plpgsql as $$ begin new.region := 'EU'; return new; end $$;
        create trigger fill before insert on shop.customers for each row execute function shop.fill()`);
      expect(await writing()).toBe('it has started');
    });

    it('is refused without one of its rights, and needs no other', async () => {
      const role = `lockstep_writer_${process.pid}`;
      await sql(`create role ${role} login password 'secret'`);
      try {
        const url = new URL(database.url);
        [url.username, url.password] = [role, 'secret'];
        const { resources } = await contractOf('trade');
        const drift = async () => {
          const found = await driftIn({ kind: 'postgres', url: url.href }, resources);
          return found.flatMap(({ isError, what }) => (isError ? [what] : []));
        };
        await sql(`grant usage on schema shop to ${role}; grant select on all tables in schema shop to ${role}`);
        expect(await drift()).toEqual([
          expect.stringMatching(/^shop.customers .* grant insert on it/),
          expect.stringMatching(/^shop.customers .* grant update on it/),
          expect.stringMatching(/^shop.customers .* grant delete on it/),
          expect.stringMatching(/^shop.orders .* grant insert on it/),
          expect.stringMatching(/^shop.orders .* grant update on it/),
          expect.stringMatching(/^shop.orders .* grant delete on it/),
          expect.stringMatching(/^shop.Order Lines .* grant insert on it/),
          expect.stringMatching(/^shop.Order Lines .* grant update on it/),
          expect.stringMatching(/^shop.Order Lines .* grant delete on it/),
          expect.stringMatching(/^shop.notes .* grant insert on it/),
          expect.stringMatching(/^shop.notes .* grant usage on the sequence of "note_id"/),
        ]);
        await sql(`grant insert, update, delete on shop.customers, shop.orders, shop."Order Lines" to ${role};
          grant insert (shop_code, number, text, created_at, updated_at) on shop.notes to ${role};
          grant usage on sequence shop.notes_note_id_seq to ${role}`);
        expect(await drift()).toEqual([]);
      } finally {
        await sql(`drop owned by ${role}; drop role ${role}`);
      }
    });
  });

  it('is refused with row-level security, with a layout, and in production without that Postgres', async () => {
    expect(await fault({ DATABASE_RLS: 'true' })).toContain('DATABASE_RLS');
    expect(await fault({ DATABASE_LAYOUT: 'tenants/4' })).toContain('DATABASE_LAYOUT');
    await withFolder({}, async (folder) => {
      const production = readConfig({
        DATA_DIR: folder,
        NODE_ENV: 'production',
        JWT_SECRET: randomBytes(32).toString('hex'),
      });
      await expect(openDatabase(production, reading, log)).rejects.toThrow('in the Postgres at DATABASE_URL');
      const store = await openDatabase(readConfig({ DATA_DIR: folder }), reading, log);
      expect(await store.count('orders', [])).toBe(0);
      await store.close();
    });
  });

  it('keeps its own tables in a schema of their own, and theirs as they are', async () => {
    const trade = await contractOf('trade');
    const before = dump();
    const places = { LOCKSTEP_SCHEMA: 'lockstep', MIGRATE_AT_BOOT: 'true' };
    for (let start = 0; start < 2; start++) {
      const store = await open(places, trade);
      const path = await sql("select schemaname from pg_tables where tablename like 'lockstep%' group by 1");
      expect(path).toEqual([{ schemaname: 'lockstep' }]);
      const app = await createServer({ contract: trade, store, authentication: { keys: secretKeys(SECRET) } });
      const token = signToken(secretKeys(SECRET), {
        subject: 'a',
        scopes: ['trade:write'],
        expiresInSeconds: 60,
        now: new Date(),
      });
      const reply = await app.inject({
        method: 'POST',
        url: '/v1/customers',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'key-of-a-customer' },
        payload: { id: 'ALFKI', companyName: 'Alfreds' },
      });
      expect(reply.json()).toMatchObject({ id: 'ALFKI' });
      await app.close();
      await store.close();
    }
    await sql('drop schema lockstep cascade');
    expect(dump()).toBe(before);
    expect(() => readConfig({ LOCKSTEP_SCHEMA: 'lockstep' })).toThrow('LOCKSTEP_SCHEMA');
    expect(() => readConfig({ DATABASE_URL: database.url, LOCKSTEP_SCHEMA: 'a b' })).toThrow('LOCKSTEP_SCHEMA');
  });

  it('is refused for operations that write to a view', async () => {
    await sql('alter table shop.notes rename to old_notes; create view shop.notes as select * from shop.old_notes');
    const said = await fault({ MIGRATE_AT_BOOT: 'true' }, await contractOf('trade'));
    expect(said).toContain('shop.notes (Note) is a view, which is read-only: remove its create from the contract.');
  });

  it('is refused for handlers of the changes of a view, which has none', async () => {
    const handlers = { on: { recentOrders: { created: () => undefined }, orders: { created: () => undefined } } };
    const store = await open();
    const starting = createServer({ contract: reading, store, handlers, authentication: { keys: secretKeys(SECRET) } });
    await expect(starting).rejects.toThrow(
      /^Handlers do not fit the contract:\s+on\['recentOrders'\]: RecentOrder is a view, whose rows change without events$/,
    );
    await store.close();
  });

  it('shows the other form of x-table: for a table of others, and for one of Lockstep', async () => {
    const cats = await contractOf('cats');
    await sql('create table cats (id text primary key, colour text)');
    const text = await fault({ MIGRATE_AT_BOOT: 'true' }, cats);
    expect(text).toContain('cats lacks');
    expect(text).toContain('`x-table: { schema: public, name: … }`');
    await sql('drop table cats');
    await (await open({ MIGRATE_AT_BOOT: 'true' }, cats)).close();
    const mapped = cats.resources.map((one) => ({ ...one, mapped: { schema: 'public', name: one.table } }));
    expect(await fault({}, { ...cats, resources: mapped })).toContain('`x-table: cats`');
    const elsewhere = cats.resources.map((one) => ({ ...one, mapped: { schema: 'shop', name: one.table } }));
    expect(await fault({}, { ...cats, resources: elsewhere })).toContain('shop.cats (Cat) is not there');
  });

  it('makes its own tables beside tables of others only if it is told to', async () => {
    await sql('create table payments (id serial primary key)');
    const cats = await contractOf('cats');
    const said = await fault({}, cats);
    expect(said).toContain('public.payments');
    expect(said).toContain('npm run migrate');
    expect(said).toContain('npm run import');
    expect(await sql("select 1 from pg_tables where tablename like 'lockstep%'")).toEqual([]);
    await (await open({ MIGRATE_AT_BOOT: 'true' }, cats)).close();
    await (await open({}, cats)).close();
  });
});

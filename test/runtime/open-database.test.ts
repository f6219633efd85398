import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { openDatabase } from '../../src/runtime/open-database.ts';
import { readConfig } from '../../src/runtime/settings/config.ts';
import type { DatabaseLocation } from '../../src/runtime/storage/database/database.ts';
import { administer } from '../../src/tools/postgres-database.ts';
import { emptyPlaceEach, execute, places } from '../support/places.ts';
import { insertThing, thingContract } from '../support/thing-contracts.ts';

const text = { type: 'string' };
const old = thingContract({ name: text }, { unique: [['name']] });
const newerAlike = thingContract({ name: text }, { version: '1.0.1', unique: [['name']] });
const now = thingContract({ name: text, note: text }, { version: '1.1.0', required: ['name'] });
const stricter = thingContract({ name: { ...text, maxLength: 1 } }, { version: '2.0.0', unique: [['name']] });

/** The same database as one sees it who may not write there. */
async function readOnly(location: DatabaseLocation): Promise<{ location: DatabaseLocation; end(): Promise<void> }> {
  if (location.kind === 'sqlite')
    return { location: { kind: 'sqlite', file: `file:${location.file}?mode=ro` }, end: async () => {} };
  const role = `lockstep_reader_${randomBytes(6).toString('hex')}`;
  await administer(location.url, `create role ${role} login password 'secret'`);
  await administer(location.url, `alter role ${role} set default_transaction_read_only = on`);
  await administer(location.url, `grant select on all tables in schema public to ${role}`);
  const url = new URL(location.url);
  url.username = role;
  url.password = 'secret';
  const end = async () => {
    await administer(location.url, `drop owned by ${role}`);
    await administer(location.url, `drop role ${role}`);
  };
  return { location: { kind: 'postgres', url: url.href }, end };
}

const PRODUCTION = { NODE_ENV: 'production', JWT_SECRET: 'a secret of the tests, and long enough for HS256' };
const MIGRATING = { ...PRODUCTION, MIGRATE_AT_BOOT: 'true' };
const DEVELOPMENT = { NODE_ENV: 'development' };

describe.each(places)('a server that starts on $name', (place) => {
  const here = emptyPlaceEach(place);
  let logged: Record<string, unknown>[];

  /** Starts with a contract and ends; what was logged as a warning or as a change. */
  async function started(
    contract: typeof old,
    environment: Readonly<Record<string, string>>,
    database: DatabaseLocation = here.location,
  ) {
    logged = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const config = {
      ...readConfig({ ...environment, DATA_DIR: here.folder, MIGRATIONS_DIR: here.folder }),
      database,
    };
    const store = await openDatabase(config, { errors: {}, ...contract } as CompiledContract, log);
    await store.close();
    return logged;
  }
  const changes = (entries: readonly Record<string, unknown>[]) => entries.flatMap(({ migration }) => migration ?? []);

  it('refuses in production what has not been migrated, and migrates where it may', async () => {
    await expect(started(old, PRODUCTION)).rejects.toThrow('The database has not been migrated');
    expect(changes(await started(old, MIGRATING))).toContain('create table things');
    expect(await started(old, PRODUCTION)).toEqual([]);
    await expect(started(now, PRODUCTION)).rejects.toThrow(/Pending:\n {2}add column things\.note/);
    expect(changes(await started(now, MIGRATING))).toEqual(['add column things.note']);
    // What takes long is announced.
    const waiting = { change: 'add column things.note', estimate: 'writes wait for up to 1 s' };
    expect(logged).toEqual(
      place.kind === 'sqlite' ? [expect.anything()] : [expect.objectContaining(waiting), expect.anything()],
    );
  });

  it('changes nothing in production with an older contract, serves it, and says so', async () => {
    await started(old, MIGRATING);
    await started(now, MIGRATING);
    await execute(here.location, 'create index things_note_index on things (note)');
    await execute(here.location, 'create index things_by_hand on things (note)');
    for (const environment of [MIGRATING, PRODUCTION])
      expect(await started(old, environment)).toMatchObject([{ level: 40, version: '1.0.0', newer: '1.1.0' }]);
    // They are still there: none of them was dropped, and the newer contract has nothing to do.
    await execute(here.location, 'drop index things_note_index');
    await execute(here.location, 'drop index things_by_hand');
    await execute(here.location, 'drop index things_name_key');
    expect(await started(now, PRODUCTION)).toEqual([]);
  });

  it('refuses a contract that rows do not meet', async () => {
    await started(old, MIGRATING);
    await execute(here.location, insertThing(1, { name: "'long'" }));
    await expect(started(stricter, PRODUCTION)).rejects.toThrow('check the rows of things against the contract');
    for (const environment of [MIGRATING, DEVELOPMENT])
      await expect(started(stricter, environment)).rejects.toThrow('name must have at most 1 character: 1 row (id ');
    await execute(here.location, "update things set name = 'l'");
    await started(stricter, MIGRATING);
    expect(await started(stricter, PRODUCTION)).toEqual([]);
  });

  it('serves reads of a database that takes no writes, and changes nothing there', async () => {
    await started(old, MIGRATING);
    const { location, end } = await readOnly(here.location);
    for (const contract of [old, newerAlike])
      expect(await started(contract, { ...MIGRATING, SERVE_READS_ONLY: 'true' }, location)).toEqual([]);
    await expect(started(now, { ...MIGRATING, SERVE_READS_ONLY: 'true' }, location)).rejects.toThrow(
      /Pending:\n {2}add column things\.note/,
    );
    await end();
  });

  it('migrates in development to whatever contract there is', async () => {
    await started(now, DEVELOPMENT);
    expect(changes(await started(old, DEVELOPMENT))).toContain('create unique index things_name_key on things (name)');
    expect(await started(old, PRODUCTION)).toEqual([]);
    expect(await started(now, DEVELOPMENT)).toEqual([]);
  });
});

import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/runtime/storage/postgres/postgres-store.ts';
import { administer } from '../../src/tools/postgres-database.ts';
import { createStatusLine } from '../../src/tools/status-line.ts';
import { runHere } from '../support/command.ts';
import { ownedDatabase } from '../support/owned-database.ts';
import { ask, execute } from '../support/places.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { contractOf } from '../support/service.ts';

const LONG = /^( {8}title: \{ type: string, maxLength: )100/gm;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  await cp(join(import.meta.dirname, '../fixtures/custom'), join(folder, 'contracts'), { recursive: true });
  await mkdir(join(folder, 'migrations'));
});
afterAll(() => rm(folder, { recursive: true }));

const migrate = (...flags: string[]) =>
  runHere('scripts/migrate.ts', ['--contracts', join(folder, 'contracts'), ...flags], {
    DATABASE_URL: `sqlite:${join(folder, 'test.db')}`,
    MIGRATIONS_DIR: join(folder, 'migrations'),
  });

async function edit(version: string, maxLength: number): Promise<void> {
  const file = join(folder, 'contracts/openapi.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(LONG, `$1${maxLength}`).replace(/^( {2}version: ).*/m, `$1${version}`));
}

it('migrate says what there is to do, does it, and refuses a contract that rows do not meet', async () => {
  const database = { kind: 'sqlite', file: join(folder, 'test.db') } as const;
  expect(await migrate('--check')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^To do on .*:\n {2}bring Lockstep's own tables up to date\n {2}create table papers\n/,
    ),
  });
  expect(await readdir(folder)).toEqual(['contracts', 'migrations']);
  expect(await migrate()).toMatchObject({ code: 0, stdout: expect.stringContaining('  create table papers\n') });
  expect(await migrate('--check')).toMatchObject({ code: 0, stdout: expect.stringContaining(' is up to date.\n') });

  await execute(
    database,
    `insert into papers (id, version, created_at, updated_at, title, readers)
     values ('00000000-0000-7000-8000-000000000001', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'News', 0)`,
  );
  const original = await readFile(join(folder, 'contracts/openapi.yaml'), 'utf8');
  await edit('9.0.0', 2);
  const found = 'title must have at most 2 characters: 1 row (id 00000000-0000-7000-8000-000000000001)';
  expect(await migrate('--check')).toMatchObject({ code: 1, stdout: expect.stringContaining(found) });
  expect(await migrate()).toMatchObject({ code: 1, stderr: expect.stringContaining(found) });
  await writeFile(join(folder, 'migrations/0001-titles.sql'), 'update papers set title = substr(title, 1, 2);\n');
  expect((await migrate('--check')).stdout).not.toContain(found);
  expect(await migrate()).toMatchObject({ code: 0, stdout: expect.stringContaining('  migrations/0001-titles.sql\n') });

  await writeFile(join(folder, 'contracts/openapi.yaml'), original);
  for (const flags of [['--check'], []])
    expect(await migrate(...flags)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('newer contract (9.0.0)'),
    });
  expect(await migrate('--even-if-older')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(' is up to date.'),
  });
});

it('migrate lets ids begin anew at the present time with --reset-clock, and only then', async () => {
  const database = { kind: 'sqlite', file: join(folder, 'test.db') } as const;
  const marks = () => ask(database, 'select mark from lockstep_clock');
  await execute(database, "insert into lockstep_clock (name, mark) values ('ids', 4102444800000)");
  await migrate('--even-if-older');
  expect(await marks()).toEqual([[4_102_444_800_000]]);
  expect(await migrate('--even-if-older', '--reset-clock')).toMatchObject({ code: 0 });
  expect(await marks()).toEqual([]);
});

const PLACES: readonly (readonly [name: string, place: () => Promise<string>])[] = [
  ['SQLite', async () => `sqlite:${join(folder, 'searched.db')}`],
  ...(hasPostgres ? [['Postgres', makeDatabase] as const] : []),
];
it.each(PLACES)('migrate --check prints how long SQL begins, and all of it with --sql, on %s', async (_, place) => {
  const url = await place();
  const check = (...flags: string[]) =>
    runHere('scripts/migrate.ts', ['--check', '--contracts', 'test/fixtures/orchard', ...flags], { DATABASE_URL: url });
  const short = await check();
  const cut = /^ {4}create .{1,100} … \([\d,]+ characters of SQL; --sql prints them\)$/gm;
  expect(short.stdout.match(cut)).toHaveLength(1);
  expect(short.stdout.length).toBeLessThan(9_000);
  expect(short.stdout).toContain('    create table "growers" (');
  const whole = await check('--sql');
  expect(whole.stdout).not.toMatch(cut);
  expect(whole.stdout.length).toBeGreaterThan(short.stdout.length + 2_000);
  const told = (text: string) => text.match(/^ {2}\S.*$/gm);
  expect(told(whole.stdout)).toEqual(expect.arrayContaining(told(short.stdout)!));
});

it('copy makes no database of a name that is mistyped', async () => {
  const [from, to] = [join(folder, 'none.db'), join(folder, 'copy.db')];
  const places = ['--from', `sqlite:${from}`, '--to', `sqlite:${to}`];
  expect(await runHere('scripts/copy.ts', ['--contracts', join(folder, 'contracts'), ...places])).toMatchObject({
    code: 1,
    stderr: `--from: file not found: ${from}.\n`,
  });
  expect(await readdir(folder)).not.toContain('none.db');
});

it.runIf(hasPostgres)('copy makes the policies of row-level security with DATABASE_RLS, and not without', async () => {
  const contracts = 'test/fixtures/workshop';
  const from = `sqlite:${join(folder, 'workshop.db')}`;
  await runHere('scripts/migrate.ts', ['--contracts', contracts], { DATABASE_URL: from });
  const { resources } = await contractOf('workshop');
  for (const hasRowSecurity of [true, false]) {
    const { url } = await ownedDatabase();
    const copied = await runHere('scripts/copy.ts', ['--contracts', contracts, '--from', from, '--to', url], {
      DATABASE_RLS: String(hasRowSecurity),
    });
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    const opened = openPostgresStore({ url, resources, connections: 2, hasRowSecurity: true });
    if (hasRowSecurity) await (await opened).close();
    else await expect(opened).rejects.toThrow('row-level security does not bind');
  }
});

it.runIf(hasPostgres)('copy keeps to LOCKSTEP_SCHEMA, unless a URL names another schema', async () => {
  const places = ['--contracts', join(folder, 'contracts')];
  const settings = { LOCKSTEP_SCHEMA: 'own' };
  const [first, second] = [await makeDatabase(), await makeDatabase()];
  const file = `sqlite:${join(folder, 'schema.db')}`;
  const tablesIn = async (url: string) => {
    const schemas = "'own', 'other', 'public'";
    const found = await administer(
      url,
      `select distinct schemaname as name from pg_tables where schemaname in (${schemas})`,
    );
    return found.map(({ name }) => name);
  };
  const copy = (from: string, to: string) =>
    runHere('scripts/copy.ts', [...places, '--from', from, '--to', to], settings);
  await runHere('scripts/migrate.ts', places, { DATABASE_URL: file });
  expect(await copy(file, first)).toMatchObject({ code: 0, stderr: '' });
  expect(await tablesIn(first)).toEqual(['own']);
  const other = `${second}?lockstep_schema=other`;
  expect(await copy(first, other)).toMatchObject({ code: 0, stderr: '' });
  expect(await tablesIn(second)).toEqual(['other']);
  const back = `sqlite:${join(folder, 'back.db')}`;
  expect(await copy(other, back)).toMatchObject({ code: 0, stderr: '' });
});

it('progress is a line on a terminal, and nothing elsewhere', () => {
  const written: string[] = [];
  const write = (text: string): boolean => written.push(text) > 0;
  const elsewhere = createStatusLine({ isTTY: false, columns: 80, write } as never);
  elsewhere.show('create table papers');
  elsewhere.end();
  expect(written).toEqual([]);
  const terminal = createStatusLine({ isTTY: true, columns: 12, write } as never);
  terminal.show('create table papers');
  terminal.end();
  expect(written).toEqual(['\r\u001b[2Kcreate tabl', '\r\u001b[2K']);
});

it.each(PLACES)(
  'a table of another program is named with what it lacks, before anything is made, on %s',
  async (name, place) => {
    const url = await place();
    const location =
      name === 'SQLite'
        ? ({ kind: 'sqlite', file: url.slice('sqlite:'.length) } as const)
        : ({ kind: 'postgres', url } as const);
    const id = name === 'SQLite' ? 'integer primary key' : 'serial primary key';
    await execute(
      location,
      `drop table if exists papers; create table papers (id ${id}, title varchar(20)); insert into papers (title) values ('x')`,
    );
    const tables =
      name === 'SQLite'
        ? 'select name from sqlite_schema'
        : "select relname from pg_class where relnamespace = 'public'::regnamespace";
    const before = await ask(location, tables);
    const contracts = ['--contracts', join(folder, 'contracts')];
    const from = `sqlite:${join(folder, `source-${name}.db`)}`;
    const none = join(folder, `none-${name}`);
    await mkdir(none);
    await runHere('scripts/migrate.ts', contracts, { DATABASE_URL: from, MIGRATIONS_DIR: none });
    const says = /papers lacks id (text|uuid), which is integer; version (integer|bigint); created_at /;
    for (const [script, flags] of [
      ['migrate', ['--check']],
      ['migrate', []],
      ['start', []],
      ['copy', ['--from', url, '--to', `sqlite:${join(folder, `elsewhere-${name}.db`)}`]],
      ['copy', ['--from', from, '--to', url]],
    ] as const) {
      const settings = { DATABASE_URL: url, MIGRATIONS_DIR: none, PORT: '0' };
      const { code, stdout, stderr } = await runHere(`scripts/${script}.ts`, [...contracts, ...flags], settings);
      expect(code, script).toBe(1);
      const isUnknown = script === 'start' && name === 'Postgres';
      expect(stdout + stderr, script).toMatch(
        isUnknown ? /tables that Lockstep does not know: public\.papers\./ : says,
      );
      expect(stdout + stderr, script).not.toMatch(/^\s+at /m);
      expect(await ask(location, tables), script).toEqual(before);
    }
    // A file that makes room for the resource's table runs first.
    const migrations = join(folder, `room-${name}`);
    await mkdir(migrations);
    await writeFile(join(migrations, '0001-room.sql'), 'alter table papers rename to old_papers;');
    const done = await runHere('scripts/migrate.ts', contracts, { DATABASE_URL: url, MIGRATIONS_DIR: migrations });
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('  create table papers\n') });
    expect(await ask(location, 'select title from old_papers')).toEqual([['x']]);
  },
);

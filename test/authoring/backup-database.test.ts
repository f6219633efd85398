import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/runtime/storage/sqlite/sqlite-store.ts';
import { runHere } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';

const backup = (args: readonly string[], environment: Readonly<Record<string, string>>) =>
  runHere('scripts/backup.ts', args, environment);

describe('npm run backup', () => {
  it('copies a database that is being written, as it was at one moment', () =>
    withFolder({}, async (folder) => {
      const file = join(folder, 'shop.db');
      const open = new DatabaseSync(file);
      open.exec('pragma journal_mode = wal; create table cats (name); insert into cats values (1), (2)');
      open.exec('begin immediate; insert into cats values (3)');
      const to = join(folder, 'backups', 'one.db');
      expect(await backup(['--to', to], { DATABASE_URL: `sqlite:${file}` })).toMatchObject({ code: 0, stderr: '' });
      open.exec('commit');
      open.close();
      const copy = new DatabaseSync(to, { readOnly: true });
      expect(copy.prepare('select count(*) as count from cats').get()).toEqual({ count: 2 });
      copy.close();
      const again = await backup(['--to', to], { DATABASE_URL: `sqlite:${file}` });
      expect(again).toMatchObject({ code: 1, stderr: `--to: ${to} is already there.\n` });
    }));

  it('holds the jobs of the copy, and not those of the database', () =>
    withFolder({}, async (folder) => {
      const [file, to] = [join(folder, 'shop.db'), join(folder, 'one.db')];
      const open = (of: string) => openSqliteStore({ file: of, resources: [] });
      const store = open(file);
      const sent = { name: 'greet', key: null, tenant: '', subject: null, requestId: 'r1', runAt: undefined, depth: 0 };
      for (const input of ['"runs"', '"waits"'])
        await store.transaction(({ jobs }) => jobs.send({ ...sent, input }, false, undefined));
      await store.jobs.claim({ names: ['greet'], limit: 1, isThorough: false });
      const { code, stdout } = await backup(['--to', to], { DATABASE_URL: `sqlite:${file}` });
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/ pages\. Its jobs are held until `npm run jobs -- release`\.\n$/),
      ]);
      const copy = open(to);
      const states = async (of: typeof store) => (await of.jobs.list({})).map(({ state, attempt }) => [state, attempt]);
      expect(await states(store)).toEqual([
        ['running', 1],
        ['waiting', 0],
      ]);
      expect(await states(copy)).toEqual([
        ['held', 0],
        ['held', 0],
      ]);
      await store.close();
      await copy.close();
      expect((await readdir(folder)).toSorted()).toEqual(['one.db', 'shop.db']);
    }));

  it('ends while somebody goes on writing, with what was there when it began', () =>
    withFolder({ 'one.db.part': 'left by one that was killed' }, async (folder) => {
      const file = join(folder, 'shop.db');
      const open = new DatabaseSync(file);
      open.exec('pragma journal_mode = wal; pragma synchronous = off; create table cats (name)');
      open.exec(
        'with recursive n (i) as (select 1 union all select i + 1 from n where i < 40000) insert into cats select hex(zeroblob(500)) from n',
      );
      let written = 0;
      const writer = setInterval(() => {
        if (written++ < 2_000) open.exec("insert into cats values ('new')");
      }, 1);
      const to = join(folder, 'one.db');
      expect(await backup(['--to', to], { DATABASE_URL: `sqlite:${file}` })).toMatchObject({ code: 0, stderr: '' });
      clearInterval(writer);
      open.close();
      expect(written).toBeLessThan(2_000);
      const copy = new DatabaseSync(to, { readOnly: true });
      expect(copy.prepare("select count(*) as count from cats where name <> 'new'").get()).toEqual({ count: 40_000 });
      copy.close();
      expect(existsSync(`${to}.part`)).toBe(false);
    }));

  it('leaves nothing behind when the database cannot be read', () =>
    withFolder({ 'shop.db': 'This is text, and no database at all.' }, async (folder) => {
      const to = join(folder, 'one.db');
      const { code, stderr } = await backup(['--to', to], { DATABASE_URL: `sqlite:${join(folder, 'shop.db')}` });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^DATABASE_URL, DATA_DIR: .+not a database.+\n$/);
      expect([existsSync(to), existsSync(`${to}.part`)]).toEqual([false, false]);
    }));

  it('leads to pg_dump for Postgres', async () => {
    const { code, stderr } = await backup(['--to', 'never.db'], { DATABASE_URL: 'postgres://me@127.0.0.1/shop' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/pg_dump/) });
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

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

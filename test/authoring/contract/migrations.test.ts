import { describe, expect, it } from 'vitest';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';

const RENAME = 'alter table papers rename column name to title;\n';
const ROW = `insert into papers (id, version, created_at, updated_at, title, readers)
  values ('00000000-0000-7000-8000-000000000001', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'News', 0);\n`;
const ONLY_POSTGRES = "create table own (readers int[] default '{1}'::int[]);\n";

/** What the check says of files, which are beside the contract. */
const checked = (files: Readonly<Record<string, string>>, args: readonly string[] = [], environment = {}) =>
  withFolder(files, async (folder) => {
    const all = ['--contracts', 'test/fixtures/custom', '--only', 'migrations', ...args];
    const { code, stdout } = await runHere('scripts/contract.ts', all, { MIGRATIONS_DIR: folder, ...environment });
    return { code, text: stdout.replaceAll(/\S*lockstep-\w+/g, 'FOLDER') };
  });

describe('the check migrations of npm run contract', () => {
  it('runs all files on an empty database', async () => {
    const { code, text } = await checked({
      '0001-rename.sql': `-- lockstep: existing rows\n${RENAME}`,
      '0002-row.sql': ROW,
    });
    expect([code, text]).toEqual([0, '✓ migrations  files of FOLDER/ on an empty database of SQLite\n']);
  });

  it('names the file that fails, with its line and what to do', async () => {
    const { code, text } = await checked({ '0001-row.sql': ROW, '0002-rename.sql': `\n${RENAME}` });
    expect(code).toBe(1);
    expect(text).toMatch(/^✗ migrations .*\n\nFOLDER\/0002-rename\.sql:2:1 {2}error {2}migration-file\n/);
    expect(text).toMatch(/On an empty database of SQLite: .*no such column: "name"/);
    expect(text).toContain('  hint: Begin an old file that changes');
  });

  it('reports rows that files write and the contract does not allow', async () => {
    const { code, text } = await checked({ '0001-row.sql': ROW.replace("'News', 0", "'News', -1") });
    expect(code).toBe(1);
    expect(text).toContain('rows of papers break the contract: readers must be at least 0: 1 row');
  });

  it('warns of a file for one database without its counterpart', async () => {
    const { code, text } = await checked({
      '0001-one.sqlite.sql': 'select 1;\n',
      '0002-alone.sqlite.sql': '-- lockstep: this database alone\nselect 1;\n',
    });
    expect(code).toBe(0);
    expect(text).toMatch(/FOLDER\/0001-one\.sqlite\.sql:1:1 {2}warning {2}migration-unpaired\n/);
    expect(text).not.toContain('0002');
  });

  it('has nothing to do without files', async () => {
    const { code, text } = await checked({});
    expect([code, text]).toEqual([0, '– migrations  not run: no files in FOLDER/\n']);
  });

  it.each([
    ['whose files say so', '0001-own.postgres.sql', {}],
    ['whose setting says so', '0001-own.sql', { DATABASE_URL: 'postgres://app@db.example/app' }],
  ])('is a note for a project on Postgres alone, %s', async (_, name, environment) => {
    const { code, text } = await checked({ [name]: ONLY_POSTGRES }, [], environment);
    expect(code).toBe(0);
    expect(text).toMatch(/^– migrations {2}not run: the files are for Postgres: run them in a temporary database/);
  });

  it.skipIf(!hasPostgres)('runs files for Postgres in a database of its own', async () => {
    const url = await makeDatabase();
    const server = ['--database', url];
    const passed = await checked({ '0001-own.sql': ONLY_POSTGRES }, server);
    expect(passed).toEqual({ code: 0, text: '✓ migrations  files of FOLDER/ on an empty database of Postgres\n' });
    const both = { '0001-own.postgres.sql': ONLY_POSTGRES, '0001-own.sqlite.sql': 'create table own (readers text);' };
    expect((await checked(both, server)).text).toContain('an empty database of SQLite and of Postgres');
    const failed = await checked({ '0001-rename.postgres.sql': RENAME }, server);
    expect(failed.code).toBe(1);
    expect(failed.text).toMatch(
      /0001-rename\.postgres\.sql:1:1 .*\n {2}On an empty database of Postgres: column "name"/,
    );
  });
});

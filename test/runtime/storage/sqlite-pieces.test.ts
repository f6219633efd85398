import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { admit, migrate, plan } from '../../../src/runtime/storage/migration/migrator.ts';
import type { MigrationTarget } from '../../../src/runtime/storage/migration/target.ts';
import { lockedSqlite } from '../../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { Command } from '../../support/command.ts';
import {
  INDEXES,
  INSERT,
  idOfNote,
  indexed,
  indexedAtOnce,
  makeNotes,
  searchedNotes,
} from '../../support/many-notes.ts';
import { oneIn } from '../../support/thorough.ts';

const COUNT = 2_000;
const migration = { resources: [searchedNotes], handWritten: [] };
const migrated = (target: MigrationTarget) => migrate(target, migration);

describe('indexes of words that SQLite fills beside a server', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-pieces-'));
    file = join(folder, 'notes.db');
    makeNotes(file, COUNT);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const within = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  const countIn = (table: string): number =>
    within((database) => {
      const isThere = database.prepare('select 1 from sqlite_schema where name = ?').get(table) !== undefined;
      return isThere ? (database.prepare(`select count(*) as n from ${table}`).get()!['n'] as number) : 0;
    });
  const same = () => expect(indexed(file)).toEqual(indexedAtOnce(file, join(folder, 'copy.db')));

  it.each([
    [1, [100, 80]],
    [0.25, [100, 200, 320]],
    [20, [100, 4]],
    [500, [100, 1]],
  ])('have as many rows in a piece as it may take long, at %d ms a row', async (msPerRow, sizes) => {
    const found: number[] = [];
    let [ms, before, isBegin] = [0, 0, false];
    const clock = (): number => {
      isBegin = !isBegin;
      if (isBegin) return ms;
      const done = countIn(`${INDEXES[0]}_row`);
      found.push(done - before);
      ms += (done - before) * msPerRow;
      before = done;
      if (found.length === sizes.length) throw new Error('enough');
      return ms;
    };
    await expect(lockedSqlite(file, migrated, { pieceMs: 240, pauseMs: 0, clock })).rejects.toThrow('enough');
    expect(found).toEqual(sizes);
    await lockedSqlite(file, migrated);
    same();
  });

  it('let the writes of another process in between two pieces, and have these, too', async () => {
    const writer = new Command('test/runtime/storage/processes/write-notes.ts', [file, String(COUNT + 1)]);
    await writer.output(/writes/);
    const highest = () =>
      within((database) => database.prepare('select max(id) as id from notes').get()!['id'] as string);
    let [last, pieces, isBegin] = [highest(), 0, false];
    const clock = (): number => {
      isBegin = !isBegin;
      // The piece is committed: another process goes on, however long that takes.
      const until = performance.now() + 60_000;
      // The highest that is seen may be deleted again.
      let seen = highest();
      while (!isBegin && seen <= last && performance.now() < until) seen = highest();
      if (!isBegin) expect(seen > last).toBe(true);
      if (!isBegin) pieces += 1;
      last = seen;
      return 0;
    };
    await lockedSqlite(file, migrated, { pieceMs: 250, pauseMs: 1, clock });
    await writer.stop('SIGKILL');
    expect(pieces).toBeGreaterThan(4);
    same();
    expect((await lockedSqlite(file, (target) => plan(target, migration))).steps).toEqual([]);
  });

  // In the first piece, between two, in one, before the mark of the first index goes; in the second index, and in its end.
  it.each(oneIn(3, [1, 8, 9, 41, 42, 46, 84]))(
    'are completed after kill -9 at look %d at the clock, with what others wrote meanwhile',
    async (looks) => {
      const killed = new Command('test/runtime/storage/processes/migrate-notes.ts', [file, String(looks)]);
      await killed.output(/stands still/);
      await killed.stop('SIGKILL');
      await expect(lockedSqlite(file, (target) => admit(target, migration))).rejects.toThrow('search index');
      within((database) => {
        for (const n of [1, 150, COUNT - 1])
          database.exec(`update notes set title = 'Changed ${n}' where id = '${idOfNote(n)}'`);
        for (const n of [2, 151, COUNT]) database.exec(`delete from notes where id = '${idOfNote(n)}'`);
        for (const n of [0, COUNT + 5]) database.prepare(INSERT).run(idOfNote(n), `New ${n}`, 'one');
      });
      const { done } = await lockedSqlite(file, migrated);
      expect(done.at(-1)).toContain(`search index ${INDEXES[1]} on notes (title, body)`);
      same();
      expect((await lockedSqlite(file, migrated)).done).toEqual([]);
    },
  );

  it('go on where they stopped, and are not asked before they are full', async () => {
    const killed = new Command('test/runtime/storage/processes/migrate-notes.ts', [file, '8']);
    await killed.output(/stands still/);
    await killed.stop('SIGKILL');
    const before = countIn(`${INDEXES[0]}_row`);
    expect(before).toBe(400);
    const { steps } = await lockedSqlite(file, (target) => plan(target, migration));
    expect(steps.map(({ what }) => what)).toEqual([
      `complete search index ${INDEXES[0]} on notes (title)`,
      `create search index ${INDEXES[1]} on notes (title, body)`,
    ]);
    const marks: unknown[] = [];
    const clock = (): number => {
      if (marks.length < 2)
        marks.push(within((one) => one.prepare(`select id from ${INDEXES[0]}_filled_row`).get()!['id']));
      return 0;
    };
    await lockedSqlite(file, migrated, { pieceMs: 250, pauseMs: 0, clock });
    expect(marks).toEqual([idOfNote(400), idOfNote(500)]);
  });
});

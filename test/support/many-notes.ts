import { DatabaseSync } from 'node:sqlite';
import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { migrateTables } from '../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { property, resource } from './descriptors.ts';

const unsearched = resource('notes', 'Note', [property('title'), property('body', { required: false })]);
const list = { defaultLimit: 20, maximumLimit: 100, sorts: [], defaultSort: [] };

/** Notes that can be searched by their words, and by parts of their titles. */
export const searchedNotes: ResourceDescriptor = {
  ...unsearched,
  list: {
    ...list,
    filters: [{ parameter: 'title', property: 'title', shape: 'object', operators: ['contains'] }],
    search: ['title', 'body'],
  },
};

export const INDEXES = ['notes_title_search', 'notes_title_body__words'];

export const idOfNote = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** A database of the release before, with so many notes that nothing indexes. */
export function makeNotes(file: string, count: number): void {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
  migrateTables(database, [unsearched]);
  database.exec('begin');
  const insert = database.prepare(INSERT);
  for (let n = 1; n <= count; n++)
    insert.run(idOfNote(n), `Title ${n} of ${n % 7}`, n % 3 === 0 ? null : `body ${n % 11}`);
  database.exec('commit');
  database.close();
}

export const INSERT = `insert into notes (id, version, created_at, updated_at, title, body)
  values (?, 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', ?, ?)`;

/** What the indexes have: each word or trigram with the rows that it is in, by their ids; and what is left of filling them. */
export function indexed(file: string): unknown {
  const database = new DatabaseSync(file);
  const terms = INDEXES.map((index) => {
    database.exec(`create virtual table temp.${index}_terms using fts5vocab('main', '${index}', 'instance')`);
    const found = `select term, col, (select id from ${index}_row where n = doc) as id from temp.${index}_terms order by 1, 2, 3`;
    return database.prepare(found).all();
  });
  const parts = database
    .prepare("select type, name from sqlite_schema where name like 'notes_title%' order by 2")
    .all();
  database.close();
  return { terms, parts };
}

/** What the indexes of a migration that does all rows in one go have. */
export function indexedAtOnce(file: string, copy: string): unknown {
  const database = new DatabaseSync(file);
  database.exec(`vacuum into '${copy}'`);
  database.close();
  const copied = new DatabaseSync(copy);
  for (const index of INDEXES)
    copied.exec(
      ['_insert', '_update', '_delete'].map((one) => `drop trigger if exists ${index}${one};`).join('') +
        ['', '_row', '_filled_row'].map((one) => `drop table if exists ${index}${one};`).join(''),
    );
  migrateTables(copied, [searchedNotes]);
  copied.close();
  return indexed(copy);
}

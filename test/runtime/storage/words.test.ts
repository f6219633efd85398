import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresWords, tsqueryText } from '../../../src/descriptor/migration/postgres-words.ts';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { wordSearchOf } from '../../../src/descriptor/searches.ts';
import { tableOf } from '../../../src/descriptor/table.ts';
import { askedText } from '../../../src/descriptor/words/asked-words.ts';
import { hasTerms, rankOf, termsOf, wordsOf } from '../../../src/descriptor/words/words.ts';
import { searchCondition } from '../../../src/runtime/engine/lists/search-condition.ts';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { PendingMigrationError } from '../../../src/runtime/storage/migration/migration-error.ts';
import { admit, migrate, plan } from '../../../src/runtime/storage/migration/migrator.ts';
import type { MigrationTarget } from '../../../src/runtime/storage/migration/target.ts';
import { postgresDialect } from '../../../src/runtime/storage/postgres/postgres-dialect.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { sqliteDialect } from '../../../src/runtime/storage/sqlite/sqlite-dialect.ts';
import { lockedSqlite } from '../../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import { fts5Query } from '../../../src/runtime/storage/sqlite/sqlite-words.ts';
import { TableStatements } from '../../../src/runtime/storage/statements/table-statements.ts';
import type { Comparison, Condition, Row, RowQuery, Store } from '../../../src/runtime/storage/store.ts';
import { databases, postgresFor, type TestDatabase } from '../../support/databases.ts';
import { property, resource } from '../../support/descriptors.ts';
import { eventually } from '../../support/eventually.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { oneIn } from '../../support/thorough.ts';

const searchedBy = (...search: readonly string[]): ResourceDescriptor => ({
  ...resource('notes', 'Note', [property('title'), property('body', { required: false })]),
  list: { defaultLimit: 20, maximumLimit: 100, filters: [], search, sorts: [], defaultSort: [] },
});
const notes = searchedBy('title', 'body');
const codec = createRowCodec(notes.properties);
const time = '2026-01-01T00:00:00.000Z';
const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const note = (n: number, title: string, body: string | null): Row =>
  codec.toRow({ id: idOf(n), version: 1, createdAt: time, updatedAt: time, title, body });

/** Texts with what has a meaning in queries, what databases split otherwise, and beyond ASCII. */
const TEXTS: readonly (readonly [string, string | null])[] = [
  ['Crème brûlée', 'A dessert with caramel'],
  ['CREME', null],
  ['cre\u0300me anglaise', 'sauce'],
  ['creamy soup', 'with caramelized onions'],
  ['Mail to a.user@example.com', 'https://example.com/a/b?c=d#e'],
  ['state-of-the-art', '1e5 3.14 -7 0x1F v1.2.3'],
  ["don't AND can't", 'NEAR(a, 5) OR "quoted" NOT that'],
  ['Straße', 'ΣΊΣΥΦΟΣ Σίσυφος'],
  ['Ёлка İstanbul ıspanak', 'हिन्दी ภาษาไทย 日本語'],
  ['lol🤣ok ❤️ 🎉', '👩‍👩‍👧'],
  ['', ''],
  ['!?*', ':&|!()<->'],
  ['x'.repeat(300), `${'y'.repeat(255)} ${'ä'.repeat(256)}`],
  ['a\tb\nc\u00a0d\u2028e', null],
  ['half ½ ² Ⅷ ａｂｃ ﬁne', 'ǅ Ǆ ǆ'],
];

const ASKED = [
  ...['creme', 'CRÈME', 'cream*', 'crem*', 'creme brulee', 'caramel', 'caramel*', 'brulee caramel', 'dessert creme'],
  ...['example', 'com', 'a.user@example.com', 'https://example.com', 'state of art', 'state-of-the-art', '1e5', '14'],
  ...['-7', '0x1f', 'v1', "don't", 'AND', 'near', 'NEAR(a 5)', 'OR', '"quoted"', 'NOT', 'a OR dessert', 'title:creme'],
  ...['{title body}: creme', '^creme', 'creme + brulee', 'strasse', 'straße', 'σίσυφος', 'ΣΊΣΥΦΟΣ', 'ёлка', 'елка'],
  ...['istanbul', 'ıspanak', 'हिन्दी', 'हि*', '日本', '日*', 'lol', 'ok', 'lol ok', 'x*', 'xx*', 'y'.repeat(200)],
  ...[
    `${'y'.repeat(199)}*`,
    'ä'.repeat(200),
    `${'A'.repeat(198)}*`,
    'a b c',
    'e',
    '8',
    'ⅷ',
    'ABC',
    'ａｂｃ',
    'fine',
    'ﬁ*',
  ],
  ...[
    'ǆ',
    "'",
    "'; drop table notes; --",
    '\\',
    '%',
    '_',
    'a & b',
    'a | zzz',
    'nothing at all',
    'a* b* c*',
    '\ud83e a',
  ],
];

const textOf = ([title, body]: readonly [string, string | null]): string => `${title} ${body ?? ''}`;

const searched = (search: string): Condition => searchCondition(['title', 'body'], search);
const textOfSearch = (search: string): string => (searched(search) as Comparison).value as string;
const query = (search: string): RowQuery => ({
  resource: 'notes',
  conditions: [searched(search)],
  order: [{ property: 'id', direction: 'asc' }],
  limit: 1_000,
});

const found = async (store: Store, search: string): Promise<unknown[]> =>
  (await store.list(query(search))).map(([id]) => id);

/** Texts of characters that are next to each other in few scripts, the same in each run. */
function* jumbled(count: number): Generator<string> {
  const letters = [...'aAzZ019 -*"\'.:&|!()äÄßÆéİıσΣςЁёĳǅ\u0301\u0305\u0345日本हि🤣🎉❤\ufe0f\u200d\u00ad\u2019½²ⅧﬁK'];
  let seed = 1;
  for (let i = 0; i < count; i += 1) {
    let text = '';
    for (let length = 0; length < 12; length += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      text += letters[seed % letters.length];
    }
    yield text;
  }
}
const JUMBLED = [...jumbled(100)];

describe.each(databases)('rows with words, on $name,', ({ open }) => {
  let database: TestDatabase;
  const rows: (readonly [string, string | null])[] = [...TEXTS, ...JUMBLED.map((text) => [text, null] as const)];
  beforeAll(async () => {
    database = await open([notes]);
    await database.store.transaction((transaction) =>
      transaction.insertAll(
        'notes',
        rows.map(([title, body], n) => note(n, title, body)),
      ),
    );
  });
  afterAll(() => database.close());

  const expected = (search: string): string[] =>
    rows.flatMap((row, n) => (hasTerms(textOf(row), search) ? [idOf(n)] : []));

  it.each(ASKED)('are those with %j, and no others', async (search) => {
    expect(await found(database.store, search)).toEqual(expected(search));
    expect(await database.store.count('notes', [searched(search)])).toBe(expected(search).length);
  });

  it('are found by whatever characters', async () => {
    for (const text of JUMBLED.filter((one, i) => i % 3 === 0 && termsOf(one).length > 0))
      expect([text, await found(database.store, text)]).toEqual([text, expected(text)]);
  });

  it('have one rank each, by the first of their texts that have all words', async () => {
    for (const search of ASKED.filter((one) => termsOf(one).length > 0)) {
      const terms = termsOf(search).map((term) => [term]);
      const ranks = expected(search).map((id) =>
        rankOf(
          rows[Number(id.slice(-12))]!.map((text) => text ?? ''),
          terms,
        ),
      );
      for (const rank of [1, 2]) {
        const conditions = [{ property: 'title', operator: 'search', value: askedText({ rank, terms }) } as const];
        const ids = (await database.store.list({ ...query(search), conditions })).map(([id]) => id);
        expect([search, rank, ids]).toEqual([search, rank, expected(search).filter((_, i) => ranks[i] === rank)]);
      }
    }
  });

  it('are found as they are after each change', async () => {
    const { store } = database;
    const write = (work: Parameters<Store['transaction']>[0]) => store.transaction(work);
    await write((transaction) => transaction.insert('notes', note(9_001, 'a rare platypus', null)));
    expect(await found(store, 'PLATYPUS rare')).toEqual([idOf(9_001)]);
    await write((transaction) =>
      transaction.update('notes', note(9_001, 'a rare wombat', 'in a zoo'), ['title', 'body']),
    );
    expect([await found(store, 'platypus'), await found(store, 'zoo wombat')]).toEqual([[], [idOf(9_001)]]);
    await write((transaction) => transaction.update('notes', note(9_001, 'a rare wombat', null), ['body']));
    expect([await found(store, 'zoo'), await found(store, 'wombat')]).toEqual([[], [idOf(9_001)]]);
    await write((transaction) => transaction.delete('notes', idOf(9_001)));
    expect(await found(store, 'wombat')).toEqual([]);
  });

  it('have their first 250,000 characters searched', async () => {
    const { store } = database;
    const long = `${'filler '.repeat(35_713)}`.slice(0, 249_989);
    await store.transaction(async (transaction) => {
      await transaction.insert('notes', note(9_002, `${long} innermost`, 'outermost'));
      await transaction.insert('notes', note(9_003, 'shortest', 'outermost'));
    });
    expect([await found(store, 'innermost'), await found(store, 'outermost')]).toEqual([[idOf(9_002)], [idOf(9_003)]]);
    await store.transaction(async (transaction) => {
      await transaction.delete('notes', idOf(9_002));
      await transaction.delete('notes', idOf(9_003));
    });
    expect(await found(store, 'filler')).toEqual([]);
  });

  it('are counted and listed by group, with other conditions', async () => {
    const { store } = database;
    const values = [TEXTS[0]![0], 'CREME', 'no such title'];
    const conditions = [
      searched('cre* caramel'),
      { property: 'body', operator: 'contains', value: 'dessert' } as const,
    ];
    const { order } = query('');
    const each = await store.listEach({ resource: 'notes', property: 'title', values, conditions, order, limit: 5 });
    expect(each.map((group) => group.map(([id]) => id))).toEqual([[idOf(0)], [], []]);
    expect(await store.countEach({ resource: 'notes', property: 'title', values, conditions })).toEqual([1, 0, 0]);
    expect(await store.get('notes', idOf(0), [searched('creme')])).toBeDefined();
    expect(await store.get('notes', idOf(0), [searched('soup')])).toBeUndefined();
  });
});

type Lock = <T>(work: (target: MigrationTarget) => Promise<T>) => Promise<T>;

/** The life of an index: what other programs write is found, and it follows the contract. */
async function live(
  lock: Lock,
  execute: (sql: string) => Promise<unknown>,
  ids: (search: string) => Promise<unknown[]>,
) {
  const migration = (resources: readonly ResourceDescriptor[]) => ({ resources, handWritten: [] });
  const pending = async (one: ResourceDescriptor) =>
    (await lock((target) => plan(target, migration([one])))).steps.map(({ what }) => what);
  const unsearched = { ...notes, list: { ...notes.list!, search: undefined } } as unknown as ResourceDescriptor;
  await lock((target) => migrate(target, migration([unsearched])));
  await execute(
    `insert into notes (id, version, created_at, updated_at, title, body) values ('${idOf(1)}', 1, '${time}', '${time}', 'Old words', 'beneath')`,
  );
  expect(await pending(notes)).toContain('create search index notes_title_body__words on notes (title, body)');
  await lock((target) => migrate(target, migration([notes])));
  expect(await pending(notes)).toEqual([]);
  expect(await ids('old beneath')).toEqual([idOf(1)]);
  await execute(
    `insert into notes (id, version, created_at, updated_at, title, body) values ('${idOf(2)}', 1, '${time}', '${time}', 'Naïve words', null)`,
  );
  await execute(`update notes set title = 'New words' where id = '${idOf(1)}'`);
  expect([await ids('naive'), await ids('new'), await ids('old'), await ids('words')]).toEqual([
    [idOf(2)],
    [idOf(1)],
    [],
    [idOf(1), idOf(2)],
  ]);
  await execute(`delete from notes where id = '${idOf(2)}'`);
  expect(await ids('naive')).toEqual([]);
  expect(await pending(searchedBy('title'))).toContain('create search index notes_title__words on notes (title)');
  await lock((target) => migrate(target, migration([searchedBy('title')]), { mayDrop: true }));
  expect(await ids('new beneath')).toEqual([idOf(1)]);
  expect(await pending(searchedBy('title'))).toEqual([
    expect.stringMatching(/^drop (?:search )?index notes_title_body__words$/),
  ]);
  await lock((target) => migrate(target, migration([searchedBy('title')]), { mayDrop: true }));
  expect(await pending(searchedBy('title'))).toEqual([]);
  await lock((target) => migrate(target, migration([unsearched]), { mayDrop: true }));
  expect(await pending(unsearched)).toEqual([]);
}

const idsIn = (rows: readonly (readonly unknown[])[]): unknown[] => rows.map(([id]) => id);

describe('the index of words of SQLite', () => {
  let folder: string;
  const file = () => join(folder, 'test.db');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-words-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('holds what others have written and write, and follows the contract', async () => {
    const statement = new TableStatements(sqliteDialect, tableOf(notes)).list(query('x'));
    const inDatabase = <T>(work: (database: DatabaseSync) => T): T => {
      const database = new DatabaseSync(file());
      try {
        return work(database);
      } finally {
        database.close();
      }
    };
    await live(
      (work) => lockedSqlite(file(), work),
      async (sql) => inDatabase((database) => database.exec(sql)),
      async (search) =>
        inDatabase((database) => {
          const prepared = database.prepare(statement.sql);
          prepared.setReturnArrays(true);
          return idsIn(
            prepared.all(...statement.slots.map((slot) => [fts5Query(textOfSearch(search)), 10][slot]!)) as never,
          );
        }),
    );
    expect(
      inDatabase((database) => database.prepare("select name from sqlite_schema where name like '%words%'").all()),
    ).toEqual([]);
  });

  it('belongs to its own table, also where the name of that begins with the name of another', async () => {
    const things = {
      ...searchedBy('title'),
      list: {
        ...notes.list!,
        filters: [{ parameter: 'title', property: 'title', shape: 'object', operators: ['contains'] } as const],
      },
    };
    const resources = [things, { ...things, key: 'notes.items', table: 'notes_items' }];
    const similar = join(folder, 'similar.db');
    const migration = { resources, handWritten: [] };
    await lockedSqlite(similar, (target) => migrate(target, migration));
    expect((await lockedSqlite(similar, (target) => plan(target, migration))).steps).toEqual([]);
  });

  it('is what finds the rows, and is made anew when a part of it is missing', async () => {
    const other = join(folder, 'other.db');
    const store = openSqliteStore({ file: other, resources: [notes] });
    const { sql } = new TableStatements(sqliteDialect, tableOf(notes)).list(query('x'));
    const database = new DatabaseSync(other);
    const steps = database.prepare(`explain query plan ${sql}`).all();
    expect(steps.map(({ detail }) => detail).join('; ')).toMatch(
      /SEARCH notes USING INDEX.*notes_title_body__words VIRTUAL TABLE INDEX/,
    );
    database.exec('drop trigger notes_title_body__words_update');
    database.close();
    const migration = { resources: [notes], handWritten: [] };
    await expect(lockedSqlite(other, (target) => admit(target, migration))).rejects.toThrow(PendingMigrationError);
    const { steps: pending } = await lockedSqlite(other, (target) => plan(target, migration));
    expect(pending.map(({ what, isOptional }) => [what, isOptional])).toEqual([
      ['drop search index notes_title_body__words', false],
      ['create search index notes_title_body__words on notes (title, body)', false],
    ]);
    await store.close();
  });
});

describe.skipIf(!hasPostgres)('the index of words of Postgres', () => {
  let client: pg.Client;
  let url: string;
  let giveBack: () => Promise<void>;
  beforeAll(async () => {
    ({ url, giveBack } = await postgresFor([]));
    client = new pg.Client(url);
    await client.connect();
    await client.query(postgresWords.prerequisite!.sql);
  });
  afterAll(async () => {
    await client.end();
    await giveBack();
  });

  it('has the words of the other database, whatever character of Unicode is in them', async () => {
    const text = (point: number) => `Q${String.fromCodePoint(point)}z`;
    const differing: unknown[] = [];
    // No text of Postgres has U+0000, or half a character.
    const points = Array.from({ length: 0x10ffff }, (_, i) => i + 1).filter((one) => one < 0xd800 || one > 0xdfff);
    const tried = [...points.slice(0, 0x600), ...oneIn(200, points.slice(0x600))];
    const query =
      "select point, tsvector_to_array(lockstep_words('Q' || chr(point) || 'z')) from unnest($1::int[]) as point";
    const { rows } = await client.query({ text: query, values: [tried], rowMode: 'array' });
    for (const [point, words] of rows as [number, string[]][]) {
      const ours = [...wordsOf(text(point))].sort().join(' ');
      if (ours !== [...words].sort().join(' ')) differing.push([point.toString(16), ours, words]);
    }
    expect([rows.length, differing]).toEqual([tried.length, []]);
  });

  it('holds what others have written and write, follows the contract, and is what finds the rows', async () => {
    const { sql, slots } = new TableStatements(postgresDialect, tableOf(notes)).list(query('x'));
    const valuesOf = (search: string) =>
      slots.map((slot) => [tsqueryText(wordSearchOf(notes)!, textOfSearch(search)), '10'][slot]);
    await live(
      (work) => lockedPostgres(url, work),
      (text) => client.query(text),
      async (search) => idsIn((await client.query({ text: sql, values: valuesOf(search), rowMode: 'array' })).rows),
    );
    await lockedPostgres(url, (target) => migrate(target, { resources: [notes], handWritten: [] }));
    await client.query('set enable_seqscan = off; set enable_indexscan = off');
    const { rows } = await client.query({ text: `explain ${sql}`, values: valuesOf('x'), rowMode: 'array' });
    expect(rows.flat().join('\n')).toMatch(/Bitmap Index Scan on notes_title_body__words/);
  });

  const pending = async (): Promise<unknown[]> => {
    const { steps } = await lockedPostgres(url, (target) => plan(target, { resources: [notes], handWritten: [] }));
    return steps.map(({ what }) => what);
  };
  const migrated = () =>
    lockedPostgres(url, (target) => migrate(target, { resources: [notes], handWritten: [] }, { mayDrop: true }));
  const MAKING = [
    'create functions lockstep_words, lockstep_row_words, lockstep_found',
    'keep words of notes in column notes_title_body__words',
    'fill column notes_title_body__words',
    'create search index notes_title_body__words on notes (title, body)',
    'analyze table notes',
  ];
  const kept = async (): Promise<unknown> =>
    (await client.query('select id, tsvector_to_array(notes_title_body__words) as words from notes order by id')).rows;
  const insert = (n: number, title: string, body: string) =>
    client.query(
      'insert into notes (id, version, created_at, updated_at, title, body) values ($1, 1, now(), now(), $2, $3)',
      [idOf(n), title, body],
    );

  it('is made anew where the trigger is gone, with the words of what was written meanwhile', async () => {
    await migrated();
    await client.query('delete from notes');
    await client.query('drop trigger notes_title_body__words on notes');
    await insert(1, 'Two whales', 'whales, walls');
    expect(await pending()).toEqual(MAKING.toSpliced(1, 0, 'drop search index notes_title_body__words'));
    await migrated();
    expect(await kept()).toEqual([{ id: idOf(1), words: ['1two', '1whales', '2walls'] }]);
  });

  it('is made anew at once where a column has been renamed, of which the trigger knows nothing', async () => {
    await migrated();
    await client.query('delete from notes; alter table notes rename column title to heading');
    const properties = notes.properties.map((one) => (one.name === 'title' ? property('heading') : one));
    const renamed = { ...notes, properties, list: { ...notes.list!, search: ['heading', 'body'] } };
    // As a server does when it starts, which drops nothing that works.
    await lockedPostgres(url, (target) => migrate(target, { resources: [renamed], handWritten: [] }));
    await client.query(
      `insert into notes (id, version, created_at, updated_at, heading, body) values ('${idOf(1)}', 1, now(), now(), 'Two', '')`,
    );
    const { rows } = await client.query('select tsvector_to_array(notes_heading_body__words) as words from notes');
    expect(rows).toEqual([{ words: ['1two'] }]);
    await client.query('delete from notes; alter table notes rename column heading to title');
    await migrated();
    await insert(1, 'Two whales', 'whales, walls');
  });

  it('takes the place of one of an expression, which stays until the migration after', async () => {
    await client.query(
      `drop trigger notes_title_body__words on notes; alter table notes drop column notes_title_body__words;
       create index notes_title_body_words on notes using gin (lockstep_words(coalesce(title, '') || ' ' || coalesce(body, '')));
       insert into lockstep_object (name, kind, table_name, made_at) values ('notes_title_body_words', 'index', 'notes', now())`,
    );
    expect(await pending()).toEqual(MAKING);
    await migrated();
    expect(await kept()).toEqual([{ id: idOf(1), words: ['1two', '1whales', '2walls'] }]);
    expect(await pending()).toEqual(['drop index notes_title_body_words']);
    await migrated();
    expect(await pending()).toEqual([]);
  });

  it('waits for rows that others have locked, and keeps nobody from the rest meanwhile', async () => {
    await insert(2, 'Another', 'row');
    await client.query('update notes set notes_title_body__words = null');
    const [, fill] = postgresWords.prepare!(tableOf(notes), wordSearchOf(notes)!, true);
    const other = new pg.Client(url);
    await other.connect();
    await other.query(`begin; select 1 from notes where id = '${idOf(1)}' for update`);
    const made = lockedPostgres(url, async (target) => target.make([fill!], () => {}));
    const second = { id: idOf(2), words: ['1another', '2row'] };
    await eventually(async () => expect(await kept()).toEqual([{ id: idOf(1), words: null }, second]));
    await client.query(`update notes set version = 2 where id = '${idOf(2)}'`);
    await other.query('commit');
    await made;
    expect(await kept()).toEqual([{ id: idOf(1), words: ['1two', '1whales', '2walls'] }, second]);
    await other.end();
  });
});

import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { SqliteConnection } from '../../../src/runtime/storage/sqlite/sqlite-connection.ts';

describe('a connection to SQLite', () => {
  const database = new DatabaseSync(':memory:');
  const connection = new SqliteConnection(database);
  afterAll(() => database.close());

  it('gives each statement its own values, also where another has the same text', () => {
    const texts = [[0], [1], [0]].map((slots) => connection.value({ sql: 'select ?', slots }, ['first', 'second']));
    expect(texts).toEqual(['first', 'second', 'first']);
  });
});

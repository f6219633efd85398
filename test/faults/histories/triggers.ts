import { DatabaseSync } from 'node:sqlite';
import { administer } from '../../../src/tools/postgres-database.ts';
import { CommitLog } from './commit-log.ts';
import { type Entry, TABLES } from './history.ts';

/** A log that triggers of the database write, in the transactions of what they log. */
export interface Triggers {
  /** The committed changes up to now. */
  read(): Promise<CommitLog>;
}

/** Each instance is known by the `application_name` of its connections. */
export async function postgresTriggers(url: string): Promise<Triggers> {
  await administer(
    url,
    `create table history_log (position bigserial primary key, writer text, "table" text, operation text, row jsonb);
     create function log_history() returns trigger language plpgsql as $$ begin
       insert into history_log (writer, "table", operation, row) values (current_setting('application_name'), tg_table_name,
         lower(tg_op), case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end);
       return null;
     end $$;
     ${TABLES.map((table) => `create trigger history after insert or update or delete on "${table}" for each row execute function log_history();`).join('\n')}`,
  );
  return {
    read: async () => new CommitLog((await administer(url, 'select * from history_log')).map(entryOf)),
  };
}

export function sqliteTriggers(file: string): Triggers {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec('create table history_log (position integer primary key, "table" text, operation text, row text)');
  for (const table of TABLES) {
    const columns = database.prepare(`select name from pragma_table_info('${table}')`).all();
    const object = (row: string) =>
      `json_object(${columns.map(({ name }) => `'${name}', ${row}."${name}"`).join(', ')})`;
    for (const operation of ['insert', 'update', 'delete'])
      database.exec(`create trigger history_${table}_${operation} after ${operation} on "${table}" begin
        insert into history_log ("table", operation, row)
        values ('${table}', '${operation}', ${object(operation === 'delete' ? 'old' : 'new')}); end`);
  }
  database.close();
  return {
    async read() {
      const reader = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
      const entries = reader.prepare('select * from history_log').all().map(entryOf);
      reader.close();
      return new CommitLog(entries);
    },
  };
}

function entryOf({ position, writer, table, operation, row }: Readonly<Record<string, unknown>>): Entry {
  const parsed = typeof row === 'string' ? JSON.parse(row) : row;
  return { position: Number(position), writer: writer ?? 'the instance', table, operation, row: parsed } as Entry;
}

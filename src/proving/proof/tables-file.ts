import { readFile } from 'node:fs/promises';
import { CommandFailure } from '../../tools/command-failure.ts';
import { administer, makeDatabaseOn, type TemporaryDatabase } from '../../tools/postgres-database.ts';
import { START } from '../harness/servers.ts';

/** Commands of psql that a dump begins and ends with; they change nothing. */
const SKIPPED = /^\\(?:un)?restrict\b.*$/gm;
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^copy\b.*\bfrom\s+stdin\b/im, 'has rows for COPY, which only psql reads. Make it with `pg_dump --inserts`.'],
  [/^\\\w+/m, 'is a command of psql. Remove the line.'],
];

/** Defaults give the same on all copies: one time, and ids that are counted. */
const SAME_DEFAULTS = `
create sequence if not exists public.lockstep_proof_ids;
do $$
declare
  found record;
begin
  for found in
    select d.adrelid::regclass as relation, a.attname, pg_get_expr(d.adbin, d.adrelid) as old,
      regexp_replace(regexp_replace(regexp_replace(regexp_replace(pg_get_expr(d.adbin, d.adrelid),
        '\\m(now|clock_timestamp|statement_timestamp|transaction_timestamp)\\(\\)|\\mCURRENT_TIMESTAMP\\M(\\(\\d\\))?', $x$'${START.toISOString()}'::timestamptz$x$, 'g'),
        '\\mLOCALTIMESTAMP\\M(\\(\\d\\))?', $x$'${START.toISOString()}'::timestamp$x$, 'g'),
        '\\mCURRENT_DATE\\M', $x$'${START.toISOString().slice(0, 10)}'::date$x$, 'g'),
        '\\m(gen_random_uuid|uuid_generate_v4|uuidv4|uuidv7)\\(\\)', $x$lpad(to_hex(nextval('public.lockstep_proof_ids')), 32, '0')::uuid$x$, 'g') as new
    from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where a.attgenerated = ''
  loop
    if found.new <> found.old then
      execute format('alter table %s alter column %I set default %s', found.relation, found.attname, found.new);
    end if;
  end loop;
end $$`;

/** A database beside the one of a URL, with the tables and rows that a file of SQL makes. Throws `CommandFailure`. */
export async function databaseOf(file: string, server: string): Promise<TemporaryDatabase> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`--tables: ${file} cannot be read (${error.code}).`);
  });
  const sql = text.replace(SKIPPED, '');
  for (const [pattern, why] of REFUSED) {
    const found = pattern.exec(sql);
    if (found) throw new CommandFailure(`--tables: ${file}:${lineAt(sql, found.index)} ${why}`);
  }
  const database = await makeDatabaseOn(server, 'proof_tables');
  try {
    await administer(database.url, sql);
    await administer(database.url, SAME_DEFAULTS);
    return database;
  } catch (error) {
    await database.drop();
    const { message, position } = error as Error & { readonly position?: string };
    const line = position === undefined ? '' : `:${lineAt(sql, Number(position))}`;
    throw new CommandFailure(`--tables: ${file}${line} fails: ${message}.`);
  }
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

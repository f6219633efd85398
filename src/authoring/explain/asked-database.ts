import { DatabaseSync } from 'node:sqlite';
import { type Layout, PLAIN } from '../../descriptor/layout.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../descriptor/resource.ts';
import { scratchLayout } from '../../runtime/settings/index.ts';
import type { SqlDialect, StoredValue } from '../../runtime/storage/index.ts';
import { migrate } from '../../runtime/storage/migration/index.ts';
import { encode, lockedPostgres, postgresDialect } from '../../runtime/storage/postgres/index.ts';
import { migrateTables, sqliteDialect } from '../../runtime/storage/sqlite/index.ts';
import { administer, makeDatabaseOn } from '../../tools/postgres-database.ts';

/** A database with the tables of a contract and no rows, which says how it would execute statements. */
export interface AskedDatabase {
  readonly name: string;
  readonly dialect: SqlDialect;
  /** How it keeps the rows of tenants. */
  readonly layout: Layout;
  /** A value as statements are given it. */
  encode(property: PropertyDescriptor, value: StoredValue): StoredValue;
  /** How it would execute a statement without placeholders; empty without a database. */
  plan(sql: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** SQLite in memory; Postgres without a database, `postgres`; or one made beside that of a URL, and dropped. */
export async function openAskedDatabase(
  named: string,
  resources: readonly ResourceDescriptor[],
): Promise<AskedDatabase> {
  if (named === 'sqlite') return sqlite(resources);
  return named === 'postgres'
    ? postgres(
        async () => [],
        async () => undefined,
      )
    : postgresOn(named, resources);
}

function sqlite(resources: readonly ResourceDescriptor[]): AskedDatabase {
  const database = new DatabaseSync(':memory:');
  migrateTables(database, resources);
  return {
    name: 'SQLite',
    dialect: sqliteDialect,
    layout: PLAIN,
    encode: (_, value) => value,
    plan: async (sql) =>
      database
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    close: async () => database.close(),
  };
}

const postgres = (plan: AskedDatabase['plan'], close: AskedDatabase['close']): AskedDatabase => ({
  name: 'Postgres',
  layout: scratchLayout(process.env) ?? PLAIN,
  dialect: postgresDialect,
  // The text of a statement has the value itself, where its own placeholder takes 1 for true.
  encode: (property, value) => (property.type === 'boolean' ? String(value === 1) : encode(property, value)),
  plan,
  close,
});

/** Tables without rows are read as a whole, unless that is forbidden: then the plan has the indexes that serve. */
async function postgresOn(server: string, resources: readonly ResourceDescriptor[]): Promise<AskedDatabase> {
  const { url, drop } = await makeDatabaseOn(server, 'explain');
  try {
    await lockedPostgres(url, (target) =>
      migrate(target, { resources, handWritten: [], layout: scratchLayout(process.env) }),
    );
    await administer(url, `alter database ${new URL(url).pathname.slice(1)} set enable_seqscan = off`);
  } catch (error) {
    await drop();
    throw error;
  }
  const plan = async (sql: string): Promise<readonly string[]> => {
    const rows = await administer(url, `explain (costs off) ${sql}`);
    return rows.map((row) => String(row['QUERY PLAN']));
  };
  return postgres(plan, drop);
}

export { sqliteDialect } from './sqlite-dialect.ts';
export { BUSY_TIMEOUT_MS, migrateTables, readSqlite, runOn } from './sqlite-migration.ts';
export { liveTables, sqliteSchema } from './sqlite-schema.ts';
export { partsOf } from './sqlite-search-parts.ts';
export { openSqliteStore } from './sqlite-store.ts';

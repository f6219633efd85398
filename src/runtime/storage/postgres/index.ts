export { INDEXES, type LiveIndex } from './mapped-catalogue.ts';
export { postgresDialect } from './postgres-dialect.ts';
export { lockedPostgres } from './postgres-migration.ts';
export { openSession } from './postgres-session.ts';
export { openPostgresStore } from './postgres-store.ts';
export { encode } from './values.ts';

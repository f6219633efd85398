export type { Query } from './answer.ts';
export {
  keyOfTable,
  type LiveColumn,
  type LiveForeignKey,
  type LiveRelation,
  liveRelations,
} from './mapped-catalogue.ts';
export { postgresDialect } from './postgres-dialect.ts';
export { lockedPostgres } from './postgres-migration.ts';
export { openSession, queryOf } from './postgres-session.ts';
export { openPostgresStore } from './postgres-store.ts';
export { encode } from './values.ts';

export { copyRows } from './copy.ts';
export {
  type DatabaseLocation,
  driftIn,
  migrateDatabase,
  nameOf,
  openStore,
  planDatabase,
  type Wanted,
} from './database.ts';

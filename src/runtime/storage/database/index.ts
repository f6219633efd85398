export { copyRows } from './copy.ts';
export { type DatabaseLocation, migrateDatabase, nameOf, openStore, planDatabase, type Wanted } from './database.ts';

export {
  FailedMigrationError,
  type HandWritten,
  orderOf,
  readMigrations,
  type Unpaired,
  unpairedIn,
} from './hand-written.ts';
export { MigrationError } from './migration-error.ts';
export { checkMigrated, type MigrationPlan, migrate, whyRecorded } from './migrator.ts';
export type { OldInstances } from './old-instances.ts';
export { holdCopy, recordedContracts } from './records.ts';
export type { MigrationTarget } from './target.ts';

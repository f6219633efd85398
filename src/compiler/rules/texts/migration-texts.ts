import type { RuleTable } from '../../findings/rule-text.ts';

/** Rules of hand-written migrations. */
export const MIGRATION_TEXTS: RuleTable = {
  'migration-file': [
    'The files of `migrations/` run on an empty database.',
    'Each colleague, CI and the first deployment begin with one. Mark an old file that changes what an earlier release has made with `-- lockstep: existing rows`; let a new file write its rows where they are absent (docs/migrations.md).',
  ],
  'migration-unpaired': [
    'A file of `migrations/` for one database has a counterpart for the other.',
    'Write the file for the other database, too, or add the line `-- lockstep: this database alone` (docs/migrations.md).',
  ],
};

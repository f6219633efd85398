import type { RuleTable } from '../../findings/rule-text.ts';

/** Rules of hand-written migrations. */
export const MIGRATION_TEXTS: RuleTable = {
  'migration-file': [
    'The files of `migrations/` run on an empty database.',
    'Each colleague, CI and the first deployment begin with an empty database. Mark an old file that changes existing tables or rows with `-- lockstep: existing rows`. Let a new file insert rows only if they are absent (docs/migrations.md).',
  ],
  'migration-unpaired': [
    'A file of `migrations/` for one database has a counterpart for the other.',
    'Write the file for the other database as well, or add the line `-- lockstep: this database alone` (docs/migrations.md).',
  ],
};

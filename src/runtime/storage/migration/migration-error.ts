import type { Difference } from '../../../descriptor/migration/plan.ts';
import type { Step } from '../../../descriptor/migration/schema-dialect.ts';

/**
 * The database has a shape that cannot be migrated without risk of losing data; each difference says how to change it
 * by hand.
 */
export class MigrationError extends Error {
  readonly differences: readonly string[];

  constructor(differences: readonly Difference[]) {
    super(
      [
        'The database does not match the contract, and changes that could lose data are not made automatically:',
        ...differences.flatMap(({ what, byHand }) => [`  ${what}`, ...byHand.map((sql) => `    ${sql};`)]),
        'Check the SQL, write what applies to a file in migrations/, and run: npm run migrate',
      ].join('\n'),
    );
    this.name = 'MigrationError';
    this.differences = differences.map(({ what }) => what);
  }
}

/** The database has not been migrated to the contract, and this server is not allowed to do it. */
export class PendingMigrationError extends Error {
  constructor({
    pending,
    steps,
  }: { readonly pending: readonly { readonly name: string }[]; readonly steps: readonly Pick<Step, 'what'>[] }) {
    super(
      [
        'The database has not been migrated to the contract. Pending:',
        ...pending.map(({ name }) => `  migrations/${name}`),
        ...steps.map(({ what }) => `  ${what}`),
        'Run npm run migrate first, or set MIGRATE_AT_BOOT=true.',
      ].join('\n'),
    );
    this.name = 'PendingMigrationError';
  }
}

/** Existing rows violate a unique key that the contract declares. */
export function duplicateRows({ what }: Step, { message }: Error): MigrationError {
  return new MigrationError([
    { what: `${what}: several rows have the same values (${message})`, byHand: [], isHarmless: false },
  ]);
}

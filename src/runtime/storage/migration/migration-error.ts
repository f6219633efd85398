import type { Difference } from '../../../descriptor/migration/plan.ts';
import type { Step } from '../../../descriptor/migration/schema-dialect.ts';

/** The database holds what the contract does not describe; each difference says what, where, and how to change it. */
export class MigrationError extends Error {
  readonly differences: readonly string[];

  constructor(differences: readonly Difference[]) {
    super(
      [
        'The database does not fit the contract, and no change that could lose data is made by itself:',
        ...differences.flatMap(({ what, byHand }) => [`  ${what}`, ...byHand.map((sql) => `    ${sql};`)]),
        'Look over the SQL, write what is right into a file in migrations/, and run: npm run migrate',
      ].join('\n'),
    );
    this.name = 'MigrationError';
    this.differences = differences.map(({ what }) => what);
  }
}

/** The database is not yet of the contract's shape, and this server may not change it. */
export class PendingMigrationError extends Error {
  constructor({
    pending,
    steps,
  }: { readonly pending: readonly { readonly name: string }[]; readonly steps: readonly Pick<Step, 'what'>[] }) {
    super(
      [
        'The database lacks what the contract needs:',
        ...pending.map(({ name }) => `  migrations/${name}`),
        ...steps.map(({ what }) => `  ${what}`),
        'Run npm run migrate first, or set MIGRATE_AT_BOOT=true.',
      ].join('\n'),
    );
    this.name = 'PendingMigrationError';
  }
}

/** Rows break a unique key that the contract asks for. */
export function duplicateRows({ what }: Step, { message }: Error): MigrationError {
  return new MigrationError([
    { what: `${what}: rows have the same values (${message})`, byHand: [], isHarmless: false },
  ]);
}

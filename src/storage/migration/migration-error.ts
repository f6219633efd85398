import type { Difference } from './plan.ts';

/** The database holds what the contract does not describe; each difference says what, where, and how to change it. */
export class MigrationError extends Error {
  readonly differences: readonly string[];

  constructor(differences: readonly Difference[]) {
    super(
      [
        'The database does not fit the contract, and no change that could lose data is made by itself:',
        ...differences.flatMap(({ what, review }) => [`  ${what}`, ...review.map((sql) => `    ${sql};`)]),
        'Review the SQL, write what is right into a file in migrations/, and run: npm run migrate',
      ].join('\n'),
    );
    this.name = 'MigrationError';
    this.differences = differences.map(({ what }) => what);
  }
}

/** The database holds what the contract does not describe; each line says what and where. */
export class MigrationError extends Error {
  readonly differences: readonly string[];

  constructor(differences: readonly string[]) {
    super(
      [
        'The database does not fit the contract, and no change that could lose data is made by itself:',
        ...differences.map((difference) => `  ${difference}`),
        'Change the tables by hand, or start with an empty data folder.',
      ].join('\n'),
    );
    this.name = 'MigrationError';
    this.differences = differences;
  }
}

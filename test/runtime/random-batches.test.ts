import { describe, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { compareBatches } from '../support/random-batches.ts';

describe.each(databases)('random batches on $name', (database) => {
  it('leave the same rows, and answer the same, as their items one after the other', () =>
    compareBatches(database, 60, 1));
});

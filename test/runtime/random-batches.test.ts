import { describe, it } from 'vitest';
import { compareBatches } from '../support/random-batches.ts';
import { tenantDatabases } from '../support/walled-databases.ts';

describe.each(tenantDatabases)('random batches on $name', (database) => {
  it('leave the same rows, and answer the same, as their items one after the other', () =>
    compareBatches(database, 60, 1));
});

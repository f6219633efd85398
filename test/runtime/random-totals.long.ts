import { describe, it } from 'vitest';
import { compareTotals } from '../support/random-totals.ts';
import { hasToolchain } from '../support/toolchains.ts';
import { walledDatabases } from '../support/walled-databases.ts';

describe.runIf(hasToolchain('python')).each(walledDatabases)('500 random totals on $name', (database) => {
  it('are those that another language computes of the rows that the caller sees', () =>
    compareTotals(database, 500, 2));
});

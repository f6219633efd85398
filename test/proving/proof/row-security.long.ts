import { describe, expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { hasPostgres, makeDatabase, makeRole } from '../../support/postgres.ts';
import { contractOf } from '../../support/service.ts';
import { oneIn } from '../../support/thorough.ts';

/** Of each list of cases. */
const SAMPLES = 4;

describe.runIf(hasPostgres)('behind row-level security', () => {
  it.each(oneIn(2, ['tracker', 'workshop']))(
    'both protocols show callers of the %s what they show without it',
    async (name) => {
      const admin = await makeDatabase();
      const { role, password } = await makeRole(admin);
      await administer(admin, `alter role ${role} createdb`);
      const url = new URL(admin);
      url.username = role;
      url.password = password;
      const record = await prove({ contract: await contractOf(name), samples: SAMPLES, database: url.href });
      expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
    },
  );
});

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import { contractOf } from '../../support/service.ts';
import { oneIn } from '../../support/thorough.ts';

/** Of each list of cases. */
const SAMPLES = 4;

describe.runIf(hasPostgres)('behind row-level security', () => {
  it.each(oneIn(2, ['tracker', 'workshop']))(
    'both protocols show callers of the %s what they show without it',
    async (name) => {
      const { url: admin, drop } = await makeDatabase();
      const role = `lockstep_proof_${randomBytes(6).toString('hex')}`;
      await administer(admin, `create role ${role} login createdb password 'secret' nosuperuser`);
      const url = new URL(admin);
      url.username = role;
      url.password = 'secret';
      try {
        const record = await prove({ contract: await contractOf(name), samples: SAMPLES, database: url.href });
        expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
      } finally {
        await drop();
        await administer(admin.replace(/\/[^/]*$/, '/postgres'), `drop role ${role}`);
      }
    },
  );
});

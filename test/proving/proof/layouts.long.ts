import { afterEach, describe, expect, it } from 'vitest';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { COURSES_WITH_MADE_IDS } from '../../support/conservatory.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { hasPostgres, SERVER } from '../../support/postgres.ts';
import { contractOf } from '../../support/service.ts';
import { isShortened, oneIn } from '../../support/thorough.ts';

const CONTRACTS: Readonly<Record<string, () => Promise<CompiledContract>>> = {
  tracker: () => contractOf('tracker'),
  workshop: () => contractOf('workshop'),
  festival: () => contractOf('festival'),
  conservatory: () => editedContract('conservatory', COURSES_WITH_MADE_IDS),
};

const LAYOUTS = ['plain', 'tenants', 'tenants/8'];
/** Of each list of cases. */
const SAMPLES = isShortened ? 4 : undefined;

describe.runIf(hasPostgres).each(oneIn(2, Object.keys(CONTRACTS)))('the proof of the %s', (name) => {
  afterEach(() => {
    delete process.env['DATABASE_LAYOUT'];
  });

  it('has the same counts of answers in each layout', async () => {
    const contract = await CONTRACTS[name]!();
    const counts: unknown[] = [];
    for (const layout of LAYOUTS) {
      process.env['DATABASE_LAYOUT'] = layout;
      const record = await prove({ contract, ...(SAMPLES && { samples: SAMPLES }), database: SERVER });
      expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
      counts.push([...record.outcomes].sort());
    }
    for (const other of counts) expect(other).toEqual(counts[0]);
  });
});

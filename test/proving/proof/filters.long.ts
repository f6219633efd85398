import { describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { filteredPayroll, MENTORS_KNOWN } from '../../support/filtered-payroll.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import { ruledClinic } from '../../support/ruled-contract.ts';

/** Of each list of cases. */
const SAMPLES = 12;

describe('filters that combine conditions on rows with rules', () => {
  it('find the same over both protocols, of what their callers read', async () => {
    const record = await prove({ contract: await ruledClinic(), samples: SAMPLES });
    expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
    expect(record.notCovered).toEqual([]);
  });

  it.runIf(hasPostgres)('find the same on Postgres', async () => {
    const url = await makeDatabase();
    const record = await prove({ contract: await ruledClinic(), samples: SAMPLES, database: url });
    expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
  });

  it('are refused, by whatever they reach, to who does not read it on every row', async () => {
    const { model } = await filteredPayroll([], (folder) => modelContract(folder));
    const record = await prove({ contract: model!, samples: SAMPLES });
    expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
  });

  it('find what the model of filters finds among rows that anybody may make', async () => {
    const { model } = await filteredPayroll([MENTORS_KNOWN], (folder) => modelContract(folder));
    const record = await prove({ contract: model!, samples: SAMPLES });
    expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
  });
});

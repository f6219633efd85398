import { expect, it } from 'vitest';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { payrollWithHomes } from '../../support/payroll-homes.ts';

/** The practice, where `PUT` creates. */
const creatingPractice = (): Promise<CompiledContract> =>
  editedContract('practice', [
    [
      'openapi.yaml',
      /( {8})'200'(: \{ description: The patient as it is now\..*\n)(?= {4}patch:)/g,
      "$1'200'$2$1'201'$2",
    ],
    ['schema.graphql', /(replacePatient\([^)]*)\)/g, '$1, ifAbsent: Boolean)'],
  ]);

it.each([
  ['objects that are hidden by a rule', payrollWithHomes],
  ['rows that are hidden where `PUT` creates', creatingPractice],
])('a correct server with %s has nothing that the proof finds', async (_, contractOf) => {
  const { differences } = await prove({ contract: await contractOf(), samples: 12 });
  expect(differences.map(formatDifference).join('\n\n')).toBe('');
});

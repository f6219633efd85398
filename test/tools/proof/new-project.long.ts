import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { prove } from '../../../src/tools/proof/prove.ts';
import { formatDifference } from '../../../src/tools/proof/record.ts';
import { addTo } from '../../../src/tools/scaffold/addition.ts';
import { readField } from '../../../src/tools/scaffold/field.ts';
import { operationAddition, readRoute } from '../../../src/tools/scaffold/new-operation.ts';
import { addResource } from '../../../src/tools/scaffold/new-resource.ts';
import { nounOf } from '../../../src/tools/scaffold/noun.ts';
import { starterFiles } from '../../../src/tools/scaffold/starter.ts';
import { withFolder } from '../../support/folder.ts';

/** Resources as they are added one by one, those below others too. */
const RESOURCES: readonly (readonly [collection: string, ...fields: string[]])[] = [
  ['wards', 'name:string!', 'floor:integer!'],
  ['wards/beds', 'label:string!', 'state:enum(FREE,TAKEN)!'],
  ['patients', 'name:string!', 'born:date'],
  ['wards/beds/stays', 'patient:ref(patients)!', 'from:date-time!'],
];

describe('what `new` makes in a new project', () => {
  it('has nothing that the proof finds', { timeout: 300_000 }, async () => {
    const files = Object.fromEntries(starterFiles('hospital', '1.0.0', 'npm'));
    const record = await withFolder(files, async (folder) => {
      const contracts = join(folder, 'contracts');
      for (const [collection, ...fields] of RESOURCES) {
        const parent = dirname(collection) === '.' ? undefined : dirname(collection);
        const noun = nounOf(collection.slice((parent ?? '').length).replace('/', ''));
        const { kind } = await addResource(contracts, noun, fields.map(readField), { parent });
        expect(kind).toBe('written');
      }
      const route = readRoute('POST /wards/{wardId}/close');
      const operation = { operationId: 'closeWard', ...route, fields: [readField('reason:string!')] };
      expect((await addTo(contracts, operationAddition(operation))).kind).toBe('written');
      const { model } = await modelContract(contracts);
      return prove({ contract: model!, samples: 6 });
    });
    expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
    expect(record.outcomes.get('NOT_IMPLEMENTED')).toBeGreaterThan(0);
    expect(record.run).toBeGreaterThan(1_000);
  });
});

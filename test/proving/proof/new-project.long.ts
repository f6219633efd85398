import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addTo } from '../../../src/authoring/scaffold/addition.ts';
import { readField } from '../../../src/authoring/scaffold/field.ts';
import { operationAddition, readRoute } from '../../../src/authoring/scaffold/new-operation.ts';
import { addResource } from '../../../src/authoring/scaffold/new-resource.ts';
import { nounOf } from '../../../src/authoring/scaffold/noun.ts';
import { starterFiles } from '../../../src/authoring/scaffold/starter.ts';
import type { IdKind } from '../../../src/authoring/scaffold/words/addition-kinds.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import { withFolder } from '../../support/folder.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import { oneIn } from '../../support/thorough.ts';

/** Resources as they are added one by one, those below others and with each kind of id, too. */
const RESOURCES: readonly (readonly [id: IdKind, collection: string, ...fields: string[]])[] = [
  ['uuid', 'wards', 'name:string!:unique', 'floor:integer!'],
  ['uuid', 'wards/beds', 'label:string!', 'state:enum(FREE,TAKEN)!'],
  ['uuid', 'patients', 'name:string!', 'born:date', 'notes:text'],
  ['uuid', 'wards/beds/stays', 'patient:ref(patients)!', 'from:date-time!', 'until:date-time'],
  ['integer', 'doctors', 'name:string!', 'licence:string!:unique:immutable', 'onCall:boolean!'],
  ['slug', 'drugs', 'name:string!', 'dose:number!', 'price:decimal!'],
  ['uuid', 'prescriptions', 'patient:ref(patients)!', 'doctor:ref(doctors)!', 'drug:ref(drugs)!', 'count:int64!'],
  ['text', 'invoices', 'patient:ref(patients)', 'due:date!'],
  ['uuid', 'invoices/lines', 'text:string!', 'amount:decimal!', 'drug:ref(drugs)'],
];

const DATABASES = hasPostgres ? ['SQLite', 'Postgres'] : ['SQLite'];

describe('what `new` makes in a new project', () => {
  it.each(oneIn(2, DATABASES))('has nothing that the proof finds on %s', { timeout: 600_000 }, async (name) => {
    const files = Object.fromEntries(starterFiles('hospital', '1.0.0', 'npm'));
    const database = name === 'Postgres' ? await makeDatabase() : undefined;
    const record = await withFolder(files, async (folder) => {
      const contracts = join(folder, 'contracts');
      for (const [id, collection, ...fields] of RESOURCES) {
        const parent = dirname(collection) === '.' ? undefined : dirname(collection);
        const noun = nounOf(collection.slice((parent ?? '').length).replace('/', ''));
        const { kind } = await addResource(contracts, noun, fields.map(readField), { parent, id });
        expect(kind).toBe('written');
      }
      const route = readRoute('POST /wards/{wardId}/close');
      const operation = { operationId: 'closeWard', ...route, fields: [readField('reason:string!')] };
      expect((await addTo(contracts, operationAddition(operation))).kind).toBe('written');
      const { model } = await modelContract(contracts);
      return prove({ contract: model!, samples: 6, database });
    });
    expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
    expect(record.outcomes.get('NOT_IMPLEMENTED')).toBeGreaterThan(0);
    expect(record.run).toBeGreaterThan(3_000);
  });
});

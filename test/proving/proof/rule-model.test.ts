import { expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import type { RowCondition } from '../../../src/descriptor/row-access.ts';
import type { Caller } from '../../../src/proving/harness/callers.ts';
import { Rows } from '../../../src/proving/harness/rows.ts';
import { RuleModel } from '../../../src/proving/proof/rule-model.ts';
import { Random } from '../../../src/tools/random.ts';
import { editedContract } from '../../support/edited-contract.ts';

const caller = (claims: object, ...scopes: readonly string[]): Caller => ({
  name: 'one',
  subject: 'ann',
  authorization: 'Bearer x',
  scopes: new Set(scopes),
  claims: { sub: 'ann', ...claims },
});

type Values = Readonly<Record<string, string | number | null>>;

/** One patient at a clinic, with the appointments and members that are given. */
async function practice(patient: Values, appointments: readonly Values[] = [], members: readonly Values[] = []) {
  const { resources } = await editedContract('practice', []);
  const rows = new Rows(resources, new Random(1));
  const stored = ({ properties }: ResourceDescriptor, values: Values) =>
    properties.map(({ name }) => values[name] ?? null);
  const of = (key: string) => resources.find((one) => one.key === key)!;
  const dump = (key: string, some: readonly Values[]) => [key, some.map((one) => stored(of(key), one))] as const;
  rows.update(
    Object.fromEntries([
      dump('clinics', [{ id: 'c1', name: 'North', country: 'DE' }]),
      dump(
        'clinics.members',
        members.map((one, i) => ({ id: `m${i}`, clinicId: 'c1', ...one })),
      ),
      dump('patients', [{ id: 'p1', name: 'Bo', published: 0, clinicId: 'c1', ...patient }]),
      dump(
        'appointments',
        appointments.map((one, i) => ({ id: `a${i}`, patientId: 'p1', ...one })),
      ),
    ]),
  );
  const patients = of('patients');
  const row = rows.of(patients)[0]!;
  const model = new RuleModel(rows);
  return {
    allows: (action: 'read' | 'update' | 'delete', as: Caller) => model.allows(action, patients, row, as),
    holds: (where: RowCondition, as: Caller) =>
      model.allows('read', { ...patients, rowAccess: { read: [{ where }] } }, row, as),
  };
}

it('the model knows who may read by scope, by what refers to a row, and by the row', async () => {
  const seen = await practice({}, [{ doctorId: 'ann' }]);
  expect(seen.allows('read', caller({}))).toBe(true);
  expect(seen.allows('read', caller({ sub: 'bob' }))).toBe(false);
  expect(seen.allows('read', caller({ sub: 'bob' }, 'patients:admin'))).toBe(true);
  const open = await practice({ published: 1 });
  expect(open.allows('read', caller({ sub: 'bob' }))).toBe(true);
});

it('the model follows references to what refers to their targets', async () => {
  const members = [
    { userId: 'ann', role: 'READER' },
    { userId: 'eve', role: 'EDITOR' },
  ];
  const { allows } = await practice({}, [], members);
  expect(['ann', 'eve', 'bob'].map((sub) => allows('update', caller({ sub })))).toEqual([false, true, false]);
});

it('the model lets no missing claim satisfy a condition, negated or not', async () => {
  const { holds } = await practice({ name: 'Bo' });
  const named: RowCondition = { kind: 'compare', property: 'name', operator: 'eq', value: { claim: ['name'] } };
  const visited: RowCondition = {
    kind: 'some',
    resource: 'appointments',
    property: 'patientId',
    condition: { kind: 'compare', property: 'doctorId', operator: 'eq', value: { claim: ['name'] } },
  };
  const judged = (claims: object) =>
    [named, visited]
      .flatMap((condition) => [condition, { kind: 'not', condition } as const])
      .map((one) => holds(one, caller(claims)));
  expect(judged({ name: 'Bo' })).toEqual([true, false, false, true]);
  expect(judged({ name: 'Al' })).toEqual([false, true, false, true]);
  expect(judged({})).toEqual([false, false, false, false]);
  expect(judged({ name: { of: 'Bo' } })).toEqual([false, false, false, false]);
});

it('the model compares with no value as two values do', async () => {
  const { holds } = await practice({ note: null, beds: 3 });
  const compare = (property: string, operator: 'eq' | 'gt', literal: string | number): RowCondition => ({
    kind: 'compare',
    property,
    operator,
    value: { literal },
  });
  expect(holds(compare('note', 'eq', 'x'), caller({}))).toBe(false);
  expect(holds({ kind: 'not', condition: compare('note', 'eq', 'x') }, caller({}))).toBe(true);
  expect(holds(compare('beds', 'gt', 2), caller({}))).toBe(true);
  // The order of texts is the database's.
  expect(holds(compare('name', 'gt', 'A'), caller({}))).toBeUndefined();
  expect(holds({ kind: 'in', property: 'beds', values: [{ claim: ['beds'] }] }, caller({ beds: [1, 3] }))).toBe(true);
});

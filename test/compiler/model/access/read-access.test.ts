import { describe, expect, it } from 'vitest';
import { indexesOf } from '../../../../src/descriptor/indexes.ts';
import type { ResourceDescriptor } from '../../../../src/descriptor/resource.ts';
import type { RowCondition } from '../../../../src/descriptor/row-access.ts';
import { accessSentences, conditionWords } from '../../../../src/descriptor/row-access-words.ts';
import { type Edit, editedContract } from '../../../support/edited-contract.ts';

const SUB = { claim: ['sub'] };

/** The resources of the practice, perhaps with another condition in the last alternative of reading its patients. */
async function practice(where?: string): Promise<readonly ResourceDescriptor[]> {
  const edits: Edit[] =
    where === undefined ? [] : [['openapi.yaml', '- where: { published: true }', `- where: ${where}`]];
  return (await editedContract('practice', edits)).resources;
}

const patientsOf = (resources: readonly ResourceDescriptor[]) => resources.find(({ key }) => key === 'patients')!;

async function conditionOf(where: string): Promise<RowCondition | undefined> {
  return patientsOf(await practice(where)).rowAccess?.read?.[2]?.where;
}

const eq = (property: string, literal: string | number | boolean): RowCondition => ({
  kind: 'compare',
  property,
  operator: 'eq',
  value: { literal },
});

describe('x-access', () => {
  it('becomes rules in which names are properties and keys of resources', async () => {
    const isMember = { kind: 'compare', property: 'userId', operator: 'eq', value: SUB };
    const ofClinic = (condition: object) => ({
      kind: 'reference',
      property: 'clinicId',
      resource: 'clinics',
      condition: { kind: 'some', resource: 'clinics.members', property: 'clinicId', condition },
    });
    expect(patientsOf(await practice()).rowAccess).toEqual({
      read: [
        { scope: 'patients:admin' },
        {
          where: {
            kind: 'some',
            resource: 'appointments',
            property: 'patientId',
            condition: { kind: 'compare', property: 'doctorId', operator: 'eq', value: SUB },
          },
        },
        { where: eq('published', true) },
      ],
      create: [{ where: ofClinic(isMember) }],
      update: [{ where: ofClinic({ kind: 'all', conditions: [isMember, eq('role', 'EDITOR')] }) }],
      delete: [{ scope: 'patients:admin', where: eq('published', false) }],
    });
  });

  it('has indexes for what its rules compare, on the tables that they go to', async () => {
    const resources = await practice();
    const columns = (key: string) =>
      indexesOf(resources.find((resource) => resource.key === key)!).map((index) => index.columns.join());
    expect(columns('appointments')).toEqual(
      expect.arrayContaining(['patient_id,doctor_id,id', 'doctor_id,patient_id,id']),
    );
    expect(columns('clinics.members')).toContain('clinic_id,user_id,role,id');
    expect(columns('patients')).toEqual(expect.arrayContaining(['published,name,id']));
  });

  it('says nothing of other resources', async () => {
    const others = (await practice()).filter(({ key }) => key !== 'patients');
    expect(others.filter((resource) => 'rowAccess' in resource)).toEqual([]);
  });

  it.each<[where: string, condition: RowCondition]>([
    ['{ name: "$$5" }', eq('name', '$5')],
    [
      '{ name: $claims.org.name }',
      { kind: 'compare', property: 'name', operator: 'eq', value: { claim: ['org', 'name'] } },
    ],
    [
      '{ beds: { gte: 2, lt: 5 } }',
      {
        kind: 'all',
        conditions: [
          { kind: 'compare', property: 'beds', operator: 'gte', value: { literal: 2 } },
          { kind: 'compare', property: 'beds', operator: 'lt', value: { literal: 5 } },
        ],
      },
    ],
    [
      '{ name: { in: [a, $claims.alias] } }',
      { kind: 'in', property: 'name', values: [{ literal: 'a' }, { claim: ['alias'] }] },
    ],
    ['{ clinicId: { in: $claims.clinics } }', { kind: 'in', property: 'clinicId', values: [{ claim: ['clinics'] }] }],
    ['{ note: { isNull: false } }', { kind: 'not', condition: { kind: 'isNull', property: 'note' } }],
    [
      '{ not: { name: { contains: abc } } }',
      {
        kind: 'not',
        condition: { kind: 'compare', property: 'name', operator: 'contains', value: { literal: 'abc' } },
      },
    ],
    [
      '{ or: [{ beds: 1 }, { beds: 2, name: a }] }',
      {
        kind: 'any',
        conditions: [eq('beds', 1), { kind: 'all', conditions: [eq('beds', 2), eq('name', 'a')] }],
      },
    ],
    [
      '{ appointments: { none: { doctorId: x } } }',
      {
        kind: 'not',
        condition: { kind: 'some', resource: 'appointments', property: 'patientId', condition: eq('doctorId', 'x') },
      },
    ],
  ])('%s is a condition', async (where, condition) => {
    expect(await conditionOf(where)).toEqual(condition);
  });
});

describe('the words of rules', () => {
  it('say who may do what', async () => {
    const resources = await practice();
    expect(accessSentences(patientsOf(resources).rowAccess!, resources)).toEqual([
      "Readable by callers with the scope `patients:admin`, or where some appointment's `doctorId` is the caller's `sub`, or where its `published` is `true`.",
      "Can be created where for some member of its clinic, its `userId` is the caller's `sub`.",
      "Can be changed where for some member of its clinic, its `userId` is the caller's `sub` and that member's `role` is `EDITOR`.",
      'Can be deleted by callers with the scope `patients:admin` where its `published` is `false`.',
    ]);
  });

  it.each([
    ['{ clinic: { country: DE } }', "its clinic's `country` is `DE`"],
    ['{ appointments: { none: { doctorId: x } } }', "no appointment's `doctorId` is `x`"],
    ['{ appointments: { some: {} } }', 'some appointment exists'],
    ['{ or: [{ beds: 1 }, { beds: 2, name: a }] }', 'its `beds` is `1` or (its `beds` is `2` and its `name` is `a`)'],
    ['{ not: { or: [{ beds: 1 }, { name: a }] } }', 'not (its `beds` is `1` or its `name` is `a`)'],
    ['{ name: { in: [a, b] }, note: { isNull: true } }', 'its `name` is one of `a`, `b` and its `note` has no value'],
  ])('%s', async (where, words) => {
    const resources = await practice(where);
    expect(conditionWords(patientsOf(resources).rowAccess!.read![2]!.where!, resources)).toBe(words);
  });
});

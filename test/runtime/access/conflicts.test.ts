import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { databases } from '../../support/databases.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [FIRST, SECOND] = [idOf(1), idOf(2)];
const [OWN, HIDDEN, NOBODY] = [idOf(11), idOf(12), idOf(99)];

/** Of the first clinic: one who changes its patients, one who only adds some; and one of no clinic. */
const editor: As = { sub: 'editor', scope: '' };
const adder: As = { sub: 'adder', scope: '' };
const stranger: As = { sub: 'stranger', scope: '' };

/** The practice: no two patients have one name, `PUT` creates, and notes are written on what is published. */
const OPENAPI = 'openapi.yaml';
const contract = await editedContract('practice', [
  [OPENAPI, /(required: \[name, published, clinicId\]\n)( {6}x-access:\n {8}read:)/g, '$1      x-unique: [[name]]\n$2'],
  [OPENAPI, /( {8})'200'(: \{ description: The patient as it is now\..*\n)(?= {4}patch:)/g, "$1'200'$2$1'201'$2"],
  [
    OPENAPI,
    /(\n {4}Patient:(?:\n {6}.*)*?\n {8}note: \{ type: \[string, 'null'\], maxLength: 200)/g,
    '$1, x-access: { write: [{ where: { published: true } }] }',
  ],
  ['schema.graphql', /(replacePatient\([^)]*)\)/g, '$1, ifAbsent: Boolean)'],
]);

async function fill({ store, now }: Service): Promise<void> {
  const managed = { version: 1, createdAt: now, updatedAt: now };
  const rows: readonly (readonly [string, readonly object[]])[] = [
    ['clinics', [FIRST, SECOND].map((id) => ({ id, name: id, country: 'DE' }))],
    [
      'clinics.members',
      [
        { id: idOf(21), clinicId: FIRST, userId: 'editor', role: 'EDITOR' },
        { id: idOf(22), clinicId: FIRST, userId: 'adder', role: 'READER' },
      ],
    ],
    [
      'patients',
      [
        { id: OWN, name: 'own', published: true, beds: 1, note: null, clinicId: FIRST },
        { id: HIDDEN, name: 'taken', published: false, beds: 1, note: null, clinicId: SECOND },
      ],
    ],
  ];
  await store.transaction(async (transaction) => {
    for (const [key, some] of rows) {
      const codec = createRowCodec(contract.resources.find((one) => one.key === key)!.properties);
      await transaction.insertAll(
        key,
        some.map((one) => codec.toRow({ ...managed, ...one })),
      );
    }
  });
}

describe.each(databases)('a key that a hidden row has, on $name,', (database) => {
  let service: Service;
  beforeEach(async () => {
    service = await startCompiled(contract, database);
    await fill(service);
  });
  afterEach(() => service.close());

  const person = (more: object = {}) => ({ name: 'taken', published: false, clinicId: FIRST, ...more });
  /** The code of what is refused, and where. */
  const told = async (method: string, url: string, as: As, body: object, headers = {}) => {
    const { status, body: answer } = await service.request(method, `/v1/patients${url}`, { as, body, headers });
    return [status, ...(answer.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
  };
  const mutated = async (field: 'createPatient' | 'updatePatient', as: As, variables: object) => {
    const heads = {
      createPatient: ['$input: PatientInput!', 'input: $input'],
      updatePatient: ['$id: ID!, $input: PatientPatch!', 'id: $id, input: $input'],
    };
    const [types, args] = heads[field];
    const { errors } = await service.graphql(`mutation (${types}) { ${field}(${args}) { id } }`, { as, variables });
    const { code, errors: places = [] } = errors![0]!.extensions;
    return [code, ...places.map(({ argument }: { argument: string }) => argument)];
  };

  it('is told to nobody who may not create the row', async () => {
    expect(await told('POST', '', stranger, person())).toEqual([403, '/clinicId']);
    expect(await told('POST', '', stranger, person({ name: 'free' }))).toEqual([403, '/clinicId']);
    expect(await told('POST', '', stranger, person(), { 'idempotency-key': 'once' })).toEqual([403, '/clinicId']);
    expect(await told('POST', '', adder, person({ clinicId: SECOND }))).toEqual([403, '/clinicId']);
    expect(await told('POST', '', adder, person())).toEqual([409, '/name']);
    expect(await told('POST', '', adder, person({ name: 'free' }))).toEqual([201]);
    expect(await mutated('createPatient', stranger, { input: person() })).toEqual(['FORBIDDEN', 'input.clinicId']);
    expect(await mutated('createPatient', adder, { input: person() })).toEqual(['ALREADY_EXISTS', 'input.name']);
  });

  it('is told to nobody who may not put the row there', async () => {
    expect(await told('PUT', `/${NOBODY}`, stranger, person())).toEqual([403, '/clinicId']);
    expect(await told('PUT', `/${HIDDEN}`, stranger, person({ name: 'free' }))).toEqual([403, '/clinicId']);
    expect(await told('PUT', `/${NOBODY}`, stranger, person({ name: 'free' }))).toEqual([403, '/clinicId']);
    expect(await told('PUT', `/${NOBODY}`, adder, person())).toEqual([409, '/name']);
    expect(await told('PUT', `/${HIDDEN}`, adder, person({ name: 'free' }))).toEqual([409, '/id']);
  });

  it('is told to nobody who may not change the row so', async () => {
    const moved = { name: 'taken', clinicId: SECOND };
    expect(await told('PATCH', `/${OWN}`, editor, moved)).toEqual([403, '/clinicId']);
    expect(await told('PATCH', `/${OWN}`, editor, { ...moved, name: 'free' })).toEqual([403, '/clinicId']);
    expect(await told('PUT', `/${OWN}`, editor, person(moved))).toEqual([403, '/clinicId']);
    expect(await told('PATCH', `/${OWN}`, editor, { name: 'taken' })).toEqual([409, '/name']);
    expect(await mutated('updatePatient', editor, { id: OWN, input: moved })).toEqual(['FORBIDDEN', 'input.clinicId']);
    expect(await mutated('updatePatient', editor, { id: OWN, input: { name: 'taken' } })).toEqual([
      'ALREADY_EXISTS',
      'input.name',
    ]);
  });

  it('is told to nobody who may not write one of the values then', async () => {
    const hiding = { name: 'taken', note: 'x', published: false };
    expect(await told('PATCH', `/${OWN}`, editor, { ...hiding, name: 'free' })).toEqual([403, '/note']);
    expect(await told('PATCH', `/${OWN}`, editor, hiding)).toEqual([403, '/note']);
    expect(await told('PATCH', `/${OWN}`, editor, { ...hiding, published: true })).toEqual([409, '/name']);
    expect(await told('POST', '', adder, person({ note: 'x' }))).toEqual([403, '/note']);
  });
});

describe.each(databases)('a row that hidden rows refer to, on $name,', (database) => {
  const keeper: As = { sub: 'keeper', scope: 'clinics:write' };
  const admin: As = { sub: 'keeper', scope: 'clinics:write patients:admin' };
  let service: Service;
  beforeEach(async () => {
    service = await startCompiled(contract, database);
    await fill(service);
  });
  afterEach(() => service.close());

  it('is not deleted, and what refers to it is named to those who see it', async () => {
    const named = 'At least one Patient refers to this Clinic.';
    const unnamed = 'Other resources refer to this Clinic.';
    for (const [id, as, detail] of [
      [FIRST, keeper, named],
      [SECOND, keeper, unnamed],
      [SECOND, admin, named],
    ] as const) {
      const { status, body } = await service.request('DELETE', `/v1/clinics/${id}`, { as });
      expect([status, body.code, body.detail]).toEqual([409, 'STILL_REFERENCED', detail]);
      const variables = { id };
      const { errors } = await service.graphql('mutation ($id: ID!) { deleteClinic(id: $id) }', { as, variables });
      expect([errors![0]!.message, errors![0]!.extensions.code]).toEqual([detail, 'STILL_REFERENCED']);
    }
  });
});

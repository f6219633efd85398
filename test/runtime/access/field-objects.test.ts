import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { ContractFiles } from '../../../src/tools/derive/contract-files.ts';
import { synchronise } from '../../../src/tools/sync/sync-contract.ts';
import { databases } from '../../support/databases.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';
import { admin, ann, DEPARTMENTS, head, refill, STAFF, stranger } from '../../support/payroll.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';

const OPENAPI = 'openapi.yaml';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const home = (schema: string, more = ''): string =>
  `\n        home:\n          anyOf: [{ $ref: '#/components/schemas/${schema}' }, { type: 'null' }]${more}`;
const READERS = '\n          x-access: { read: [{ scope: staff:admin }, { where: { userId: $claims.sub } }] }';
const propertyOf = (schema: string, text: string): Edit => [
  OPENAPI,
  new RegExp(`(\\n    ${schema}:\\n(?:      .*\\n)*?      properties:)`, 'g'),
  `$1${text}`,
];

/** The payroll, where an employee has an address that only the admin and the employee read, and all may write. */
const contract = await editedFolder(
  'payroll',
  [
    [OPENAPI, '\n        salary:\n', `${home('Home', READERS)}\n        salary:\n`],
    propertyOf('EmployeeInput', home('Home')),
    propertyOf('EmployeePatch', home('HomePatch')),
    [
      OPENAPI,
      '\n    EmployeeInput:',
      `
    Home:
      type: object
      required: [city]
      properties:
        city: { type: string, minLength: 1, maxLength: 40 }
        street: { type: string, minLength: 1, maxLength: 40 }
    HomePatch:
      type: object
      properties:
        city: { type: string, minLength: 1, maxLength: 40 }
        street: { type: [string, 'null'], minLength: 1, maxLength: 40 }
    EmployeeInput:`,
    ],
  ],
  async (folder) => {
    const files = await ContractFiles.open(folder);
    const outcome = await synchronise(files, { contracts: folder, connections: [] });
    if (outcome.kind !== 'synced') throw new Error(JSON.stringify(outcome, undefined, 1));
    await files.save();
    await files.close();
    const { model, findings } = await modelContract(folder);
    if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
    return model;
  },
);

describe.each(databases)('hidden objects, and what other rows decide, on $name,', (database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startCompiled(contract, database);
  });
  beforeEach(() => refill(service));
  afterAll(() => service.close());

  const patch = (url: string, as: As, body: object) =>
    service.request('PATCH', `/v1${url}`, { as, body, headers: MERGE });
  const path = `/employees/${STAFF.ann.id}`;
  const homeOf = async (as: As) => (await service.request('GET', `/v1${path}`, { as })).body.home;
  const mutate = async (as: As, input: object) => {
    const text = 'mutation ($id: ID!, $input: EmployeePatch!) { updateEmployee(id: $id, input: $input) { version } }';
    const { errors } = await service.graphql(text, { as, variables: { id: STAFF.ann.id, input } });
    return errors![0]!.extensions.code;
  };

  it('are merged with by who reads them', async () => {
    expect((await patch(path, ann, { home: { city: 'Bonn' } })).status).toBe(200);
    expect((await patch(path, ann, { home: { street: 'Here' } })).status).toBe(200);
    expect(await homeOf(ann)).toEqual({ city: 'Bonn', street: 'Here' });
  });

  it('are replaced by who does not, and tell nothing of what they were', async () => {
    const part = { home: { street: 'There' } };
    const whenEmpty = await patch(path, stranger, part);
    expect(whenEmpty).toMatchObject({ status: 400, body: { errors: [{ pointer: '/home/city' }] } });
    await patch(path, ann, { home: { city: 'Bonn', street: 'Here' } });
    const whenFull = await patch(path, stranger, part);
    expect(whenFull).toMatchObject({ status: 400, body: { errors: whenEmpty.body.errors } });
    expect(await mutate(stranger, part)).toBe('VALIDATION_FAILED');
    expect((await patch(path, stranger, { home: { city: 'Ulm' } })).body).toMatchObject({ version: 3, home: null });
    expect(await homeOf(admin)).toEqual({ city: 'Ulm' });
    expect((await patch(path, stranger, { home: null })).body).toMatchObject({ version: 4, home: null });
    expect(await homeOf(admin)).toBeNull();
  });

  it('leave the cached lists of those who read them no longer', async () => {
    service.store.changesElsewhere = () => 0;
    const notes = async (as: As): Promise<unknown> =>
      (await service.request('GET', '/v1/employees?sort=name', { as })).body.data[0].notes;
    expect([await notes(head), await notes(stranger)]).toEqual([STAFF.ann.notes, null]);
    const department = `/departments/${DEPARTMENTS.first}`;
    expect((await patch(department, admin, { headId: stranger.sub })).status).toBe(200);
    expect([await notes(head), await notes(stranger)]).toEqual([null, STAFF.ann.notes]);
  });
});

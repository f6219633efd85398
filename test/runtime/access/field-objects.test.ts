import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { admin, ann, DEPARTMENTS, head, refill, STAFF, stranger } from '../../support/payroll.ts';
import { payrollWithHomes } from '../../support/payroll-homes.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';

const contract = await payrollWithHomes();
const MERGE = { 'content-type': 'application/merge-patch+json' };

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

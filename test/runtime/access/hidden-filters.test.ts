import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { databases } from '../../support/databases.ts';
import type { Edit } from '../../support/edited-contract.ts';
import { filteredPayroll, MENTORS_KNOWN } from '../../support/filtered-payroll.ts';
import { admin, ann, auditor, refill, stranger } from '../../support/payroll.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers
type Json = any;

const QUERY = 'query ($f: EmployeeFilter) { employees(filter: $f) { nodes { name } } }';

const REFUSED: readonly (readonly [what: string, as: As | undefined, filter: object, place: string])[] = [
  ['itself', auditor, { badge: 'B-1' }, 'filter/badge'],
  ['what is read of some rows', ann, { salary: 5000 }, 'filter/salary'],
  ['what is negated', stranger, { or: [{ name: 'Ann' }, { not: { salary: 1 } }] }, 'filter/or/1/not/salary'],
  ['the row of a reference', stranger, { mentor: { name: 'Bob', salary: 4000 } }, 'filter/mentor/salary'],
  ['the rows of a list', auditor, { mentored: { none: { badge: 'B-1' } } }, 'filter/mentored/none/badge'],
  [
    'rows behind rows',
    stranger,
    { department: { employees: { some: { salary: 5000 } } } },
    'filter/department/employees/some/salary',
  ],
];

describe.each(databases)('filters by properties that callers do not read on every row, on $name,', (database) => {
  let service: Service;
  beforeAll(async () => {
    const { model } = await filteredPayroll([MENTORS_KNOWN], (folder) => modelContract(folder));
    service = await startCompiled(model!, database);
    await refill(service);
  });
  afterAll(() => service.close());

  const get = (query: string, as: As | undefined) =>
    service.request('GET', `/v1/employees?${query}`, { ...(as && { as }) });
  const ask = (filter: object, as: As | undefined) =>
    service.graphql(QUERY, { ...(as && { as }), variables: { f: filter } });
  const json = (filter: object): string => `filter=${encodeURIComponent(JSON.stringify(filter))}`;

  it.each(REFUSED)('are refused where they compare %s', async (_, as, filter, place) => {
    const { status, body } = await get(json(filter), as);
    const property = place.split('/').at(-1);
    const detail = `you may not read ${property} on every row`;
    expect([status, body.code, body.errors]).toEqual([403, 'FORBIDDEN', [{ parameter: place, detail }]]);
    const { errors } = await ask(filter, as);
    const { code, errors: faults } = errors![0]!.extensions as Json;
    expect([code, faults]).toEqual(['FORBIDDEN', [{ argument: place.replaceAll('/', '.'), detail }]]);
  });

  it('are refused alike over both protocols, in whatever order they are sent', async () => {
    const deep = { mentored: { none: { salary: 1 } }, mentor: { badge: 'B-1' } };
    const flat = { salary: 1, or: [{ not: { salary: 2, badge: 'B-2' } }], badge: 'B-1' };
    for (const [filter, places] of [
      [flat, ['filter/badge', 'filter/or/0/not/badge', 'filter/or/0/not/salary', 'filter/salary']],
      [deep, ['filter/mentor/badge']],
    ] as const) {
      const reversed = Object.fromEntries(Object.entries(filter).reverse());
      for (const one of [filter, reversed]) {
        expect((await get(json(one), stranger)).body.errors.map(({ parameter }: Json) => parameter)).toEqual(places);
        const { errors } = await ask(one, stranger);
        const faults = (errors![0]!.extensions as Json).errors.map(({ argument }: Json) => argument);
        expect(faults).toEqual(places.map((place) => place.replaceAll('/', '.')));
      }
    }
    const sorted = await get(`${json({ badge: 'B-1' })}&sort=salary`, stranger);
    expect(sorted.body.errors.map(({ parameter }: Json) => parameter)).toEqual(['filter/badge', 'sort']);
    const text = '{ employees(filter: { badge: "B-1" }, sort: [SALARY_ASC]) { nodes { name } } }';
    const { errors } = await service.graphql(text, { as: stranger });
    const faults = (errors![0]!.extensions as Json).errors.map(({ argument }: Json) => argument);
    expect(faults).toEqual(['filter.badge', 'sort']);
  });

  it('are refused as parameters named for references', async () => {
    expect((await get('mentor[name]=Bob', stranger)).body.data.map((one: Json) => one.name)).toEqual(['Ann']);
    const { status, body } = await get('mentor[salary]=4000', stranger);
    expect([status, body.code, body.errors[0].parameter]).toEqual([403, 'FORBIDDEN', 'mentor/salary']);
  });

  it('find what they ask for where their caller reads it on every row', async () => {
    for (const [filter, names] of [
      [{ badge: 'B-1' }, ['Ann']],
      [{ not: { salary: 5000 } }, ['Bob']],
      [{ mentor: { salary: 4000 } }, ['Ann']],
      [{ mentored: { none: { badge: 'B-1' } } }, ['Ann']],
    ] as const) {
      expect((await get(json(filter), admin)).body.data.map((one: Json) => one.name)).toEqual(names);
      const { data } = await ask(filter, admin);
      expect(data.employees.nodes.map((one: Json) => one.name)).toEqual(names);
    }
    expect((await get('mentor[salary]=4000', auditor)).body.data.map((one: Json) => one.name)).toEqual(['Ann']);
  });
});

describe.each(databases)('filters by references that callers do not read on every row, on $name,', (database) => {
  it('are refused, whatever they compare behind them', async () => {
    const { model } = await filteredPayroll([], (folder) => modelContract(folder));
    const service = await startCompiled(model!, database);
    await refill(service);
    for (const [query, place] of [
      [`filter=${encodeURIComponent('{"mentor":{"name":"Bob"}}')}`, 'filter/mentor'],
      [`filter=${encodeURIComponent('{"mentored":{"some":{}}}')}`, 'filter/mentored'],
      ['mentor[name]=Bob', 'mentor'],
    ] as const) {
      const { status, body } = await service.request('GET', `/v1/employees?${query}`, { as: stranger });
      expect([status, body.code, body.errors[0].parameter]).toEqual([403, 'FORBIDDEN', place]);
      expect((await service.request('GET', `/v1/employees?${query}`, { as: admin })).status).toBe(200);
    }
    await service.close();
  });
});

const OF_DEPARTMENTS: readonly Edit[] = [
  [
    'openapi.yaml',
    /(operationId: listDepartments[\s\S]*?)(\n {6}responses:)/g,
    "$1\n        - { name: filter, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/DepartmentFilter' } } } }$2",
  ],
  ['schema.graphql', /(\n {2}departments\([^)]*)\)/g, '$1 filter: DepartmentFilter)'],
];

/** Nothing else of the list is refused to anybody. */
describe.each(databases)('filters that go to hidden properties of other resources, on $name,', (database) => {
  it('are refused by a code that the list declares', async () => {
    const { model } = await filteredPayroll(OF_DEPARTMENTS, (folder) => modelContract(folder));
    const service = await startCompiled(model!, database);
    await refill(service);
    const filter = { employees: { some: { salary: 5000 } } };
    const url = `/v1/departments?filter=${encodeURIComponent(JSON.stringify(filter))}`;
    const place = 'filter/employees/some/salary';
    const text = 'query ($f: DepartmentFilter) { departments(filter: $f) { nodes { name } } }';
    const { status, body } = await service.request('GET', url, { as: stranger });
    expect([status, body.code, body.errors[0].parameter]).toEqual([403, 'FORBIDDEN', place]);
    const { errors } = await service.graphql(text, { as: stranger, variables: { f: filter } });
    expect(errors![0]!.extensions).toMatchObject({
      code: 'FORBIDDEN',
      errors: [{ argument: place.replaceAll('/', '.') }],
    });
    expect((await service.request('GET', url, { as: admin })).body.data).toMatchObject([{ name: 'first' }]);
    await service.close();
  });
});

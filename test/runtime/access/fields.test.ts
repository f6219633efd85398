import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { editedContract } from '../../support/edited-contract.ts';
import {
  admin,
  ann,
  auditor,
  DEPARTMENTS,
  head,
  refill,
  STAFF,
  startPayroll,
  stranger,
} from '../../support/payroll.ts';
import { onList } from '../../support/reads.ts';
import { type As, type Reply, type Service, startCompiled } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers
type Json = any;

const OPENAPI = 'openapi.yaml';
const RULED = ['salary', 'notes', 'badge', 'mentorId'] as const;
const HIDDEN = { salary: null, notes: null, badge: null, mentorId: null };

/** What each reads of Ann; all read her level. */
const VIEWS: readonly (readonly [string, As | undefined, object])[] = [
  ['whoever has the scope', admin, { ...HIDDEN, salary: 5000, badge: 'B-1', mentorId: STAFF.bob.id }],
  ['whoever has another scope', auditor, { ...HIDDEN, salary: 5000 }],
  ['the head of the department', head, { ...HIDDEN, notes: STAFF.ann.notes }],
  ['herself', ann, { ...HIDDEN, salary: 5000, mentorId: STAFF.bob.id }],
  ['a stranger', stranger, HIDDEN],
  ['a caller without a token', undefined, HIDDEN],
];

const ruled = (one: Json): object => Object.fromEntries(RULED.map((name) => [name, one[name] ?? null]));
const path = `/v1/employees/${STAFF.ann.id}`;
const FIELDS = 'version salary notes badge mentorId level';
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe.each(databases)('properties with rules, on $name,', (database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startPayroll(database);
  });
  beforeEach(() => refill(service));
  afterAll(() => service.close());

  const get = (url: string, as: As | undefined, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    service.request('GET', url, { headers, ...(as && { as }) });
  const ask = (query: string, as: As | undefined, variables: object = {}) =>
    service.graphql(query, { ...(as && { as }), variables });
  const patch = (as: As, body: object, headers: Readonly<Record<string, string>> = {}) =>
    service.request('PATCH', path, { as, body, headers: { ...MERGE, ...headers } });
  const put = (as: As, body: object) => service.request('PUT', path, { as, body });
  const stored = async (): Promise<Json> => {
    const { properties } = service.contract.resources.find(({ key }) => key === 'employees')!;
    const row = (await service.store.get('employees', STAFF.ann.id))!;
    return Object.fromEntries(properties.map(({ name }, at) => [name, row[at]]));
  };

  describe.each(VIEWS)('read by %s,', (_name, as, view) => {
    it('are null where they are hidden: alone, in lists, nested and behind references', async () => {
      expect(ruled((await get(path, as)).body)).toEqual(view);
      for (const _ of [1, 2]) {
        const listed = await get('/v1/employees?sort=name', as);
        expect(ruled(listed.body.data[0])).toEqual(view);
      }
      const { data } = await ask(
        `query ($id: ID!) { employee(id: $id) { ${FIELDS} }
           departments { nodes { employees { nodes { name ${FIELDS} department { name } } } } } }`,
        as,
        { id: STAFF.ann.id },
      );
      expect(ruled(data.employee)).toEqual(view);
      expect(data.employee.level).toBe('SENIOR');
      const nested = data.departments.nodes.flatMap((one: Json) => one.employees.nodes);
      expect(ruled(nested.find((one: Json) => one.name === 'Ann'))).toEqual(view);
    });

    it('have an entity tag for each view of them', async () => {
      const { headers } = await get(path, as);
      const tag = String(headers['etag']);
      expect(tag).toMatch(/^"1-[\w-]{8}\.[\w-]+"$/);
      expect((await get(path, as, { 'if-none-match': tag })).status).toBe(304);
      for (const [, other, seen] of VIEWS) {
        const isSame = JSON.stringify(seen) === JSON.stringify(view);
        expect((await get(path, other, { 'if-none-match': tag })).status).toBe(isSame ? 304 : 200);
      }
      for (const expected of [tag, tag.replace(/\..*/, '"'), '"1"'])
        expect((await get(path, as, { 'if-match': expected })).status).toBe(200);
      expect((await get(path, as, { 'if-match': '"1-00000000"' })).status).toBe(412);
    });
  });

  it('are null in what stands behind references', async () => {
    const query = 'query ($id: ID!) { employee(id: $id) { mentor { name salary badge } } }';
    const mentor = async (as: As) => (await ask(query, as, { id: STAFF.ann.id })).data.employee.mentor;
    expect(await mentor(ann)).toEqual({ name: 'Bob', salary: null, badge: null });
    expect(await mentor(admin)).toEqual({ name: 'Bob', salary: 4000, badge: 'B-2' });
  });

  it('are told of a hidden reference by nothing: neither what it refers to, nor what refers back', async () => {
    const { data } = await ask('{ employees(sort: [NAME_ASC]) { nodes { mentorId mentor { name } } } }', stranger);
    expect(data.employees.nodes[0]).toEqual({ mentorId: null, mentor: null });
    const { errors } = await ask('{ employees { nodes { mentored { totalCount } } } }', stranger);
    expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
    const { data: seen } = await ask('{ employees(sort: [NAME_DESC]) { nodes { mentored { totalCount } } } }', admin);
    expect(seen.employees.nodes[0].mentored.totalCount).toBe(1);
  });

  it.each([
    ['salary[gte]=1', '{ employees(filter: { salary: { gte: 1 } }) { totalCount } }', 'salary'],
    ['sort=-salary', '{ employees(sort: [SALARY_DESC]) { totalCount } }', 'sort'],
    ['sort=name,salary', '{ employees(sort: [NAME_ASC, SALARY_ASC]) { totalCount } }', 'sort'],
    [`mentorId=${STAFF.bob.id}`, `{ employees(filter: { mentorId: "${STAFF.bob.id}" }) { totalCount } }`, 'mentorId'],
    ['search=praised', '{ employees(search: "praised") { totalCount } }', 'search'],
  ])('are not asked by without reading them on every row: %s', async (query, document, name) => {
    for (const as of [ann, stranger, undefined]) {
      const refused = await get(`/v1/employees?${query}`, as);
      expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect(refused.body.errors[0].parameter).toBe(name);
      const { errors } = await ask(document, as);
      expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
      expect(errors![0]!.extensions.errors[0].argument).toContain(name);
    }
    // Nobody reads all notes.
    const status = name === 'search' ? 403 : 200;
    expect((await get(`/v1/employees?${query}`, admin)).status).toBe(status);
  });

  it('are in no cursor of whoever does not read them', async () => {
    const { body } = await get('/v1/employees?limit=1&sort=-salary', admin);
    const cursor = body.page.nextCursor;
    expect((await get(`/v1/employees?limit=1&sort=-salary&cursor=${cursor}`, auditor)).status).toBe(200);
    expect((await get(`/v1/employees?limit=1&sort=-salary&cursor=${cursor}`, stranger)).status).toBe(403);
    expect((await get(`/v1/employees?limit=1&cursor=${cursor}`, stranger)).body.code).toBe('INVALID_CURSOR');
    const own = await get('/v1/employees?limit=1&sort=name', stranger);
    expect(Buffer.from(own.body.page.nextCursor, 'base64url').toString()).not.toMatch(/5000|praised|B-1/);
  });

  describe('are not written by who may not:', () => {
    it.each([
      ['salary', ann, { salary: 9000 }],
      ['salary', stranger, { salary: 5000 }],
      ['notes', admin, { notes: 'praised by everybody' }],
      ['level', stranger, { level: 'LEAD' }],
      ['badge', head, { badge: null }],
    ] as const)('%s', async (name, as, body) => {
      const isRepeated = name === 'badge';
      const expected = isRepeated
        ? { status: 200 }
        : { status: 403, body: { code: 'FORBIDDEN', errors: [{ pointer: `/${name}` }] } };
      expect(await patch(as, body)).toMatchObject(expected);
      const value = JSON.stringify(Object.values(body)[0]).replace('"LEAD"', 'LEAD');
      const { errors } = await ask(
        `mutation ($id: ID!) { updateEmployee(id: $id, input: { ${name}: ${value} }) { name } }`,
        as,
        { id: STAFF.ann.id },
      );
      expect(errors?.[0]?.extensions.code).toBe(isRepeated ? undefined : 'FORBIDDEN');
      if (!isRepeated) expect(errors![0]!.extensions.errors[0].argument).toBe(`input.${name}`);
      expect(await stored()).toMatchObject({ version: 1, salary: 5000, level: 'SENIOR', badge: 'B-1' });
    });

    it('a new row', async () => {
      const input = { name: 'Eve', userId: 'eve', departmentId: DEPARTMENTS.first };
      const create = (as: As, more: object) =>
        service.request('POST', '/v1/employees', { as, body: { ...input, ...more } });
      for (const more of [{ salary: 1 }, { badge: 'B-1' }, { notes: 'well' }])
        expect(await create(stranger, more)).toMatchObject({
          status: 403,
          body: { errors: [{ pointer: `/${Object.keys(more)[0]}` }] },
        });
      expect((await create(stranger, { salary: null })).status).toBe(201);
      const made = await create(head, { notes: 'well', level: 'LEAD' });
      expect(made).toMatchObject({ status: 201, body: { notes: 'well', salary: null } });
      expect((await create(head, { notes: 'well', departmentId: DEPARTMENTS.second })).status).toBe(403);
      const by = await create(admin, { salary: 7 });
      expect(by).toMatchObject({ status: 201, body: { salary: 7, notes: null } });
    });

    it('also where the change itself would let them', async () => {
      const body = { departmentId: DEPARTMENTS.second, notes: 'moved' };
      const other: As = { sub: 'other', scope: '' };
      expect(await patch(other, body)).toMatchObject({ status: 403, body: { errors: [{ pointer: '/notes' }] } });
      expect(await patch(head, body)).toMatchObject({ status: 403, body: { errors: [{ pointer: '/notes' }] } });
      expect((await patch(head, { notes: 'stays' })).body).toMatchObject({ notes: 'stays', salary: null, version: 2 });
    });
  });

  it('stay as they are when a replacement leaves them out, or repeats what its caller is shown', async () => {
    const { userId, departmentId } = STAFF.ann;
    const all = { salary: 5000, notes: STAFF.ann.notes, level: 'SENIOR', badge: 'B-1', mentorId: STAFF.bob.id };
    const plain = { name: 'Anna', userId, departmentId };
    expect((await put(stranger, plain)).body).toMatchObject({ name: 'Anna', salary: null, version: 2 });
    expect(await stored()).toMatchObject({ ...all, version: 2 });
    const { body: shown } = await get(path, ann);
    const managed = ['id', 'version', 'createdAt', 'updatedAt'];
    const repeated = Object.fromEntries(Object.entries(shown).filter(([name]) => !managed.includes(name)));
    expect((await put(ann, { ...repeated, name: 'Annie' })).status).toBe(200);
    expect(await stored()).toMatchObject({ ...all, name: 'Annie', version: 3 });
    expect(await put(ann, { ...repeated, salary: 1 })).toMatchObject({
      status: 403,
      body: { errors: [{ pointer: '/salary' }] },
    });
    expect(await put(stranger, { ...plain, salary: 5000 })).toMatchObject({ status: 403 });
    expect((await put(admin, { ...plain, badge: 'B-9' })).body).toMatchObject({ salary: null, badge: 'B-9' });
    expect(await stored()).toMatchObject({ salary: null, notes: STAFF.ann.notes, level: null, badge: 'B-9' });
  });

  it('are not guessed by writing them', async () => {
    const guess = async (mentorId: string) => (await patch(stranger, { mentorId })).body;
    expect(await guess(STAFF.bob.id)).toMatchObject({ version: 2, mentorId: null });
    expect(await guess(STAFF.ann.id)).toMatchObject({ version: 3, mentorId: null });
    const { body } = await service.request('POST', '/v1/employees', {
      as: admin,
      body: { name: 'Eve', userId: 'eve', departmentId: DEPARTMENTS.first, badge: 'B-1' },
    });
    expect(body).toMatchObject({ code: 'ALREADY_EXISTS', errors: [{ pointer: '/badge' }] });
  });

  it('are in a replay as they were, or it is refused', async () => {
    const create = (as: As) =>
      service.request('POST', '/v1/employees', {
        as,
        body: { name: 'Eve', userId: 'eve', departmentId: DEPARTMENTS.first, salary: 7 },
        headers: { 'idempotency-key': `key-${database.name}` },
      });
    const first = await create(admin);
    const again = await create(admin);
    expect([again.status, again.text, again.headers['etag']]).toEqual([201, first.text, first.headers['etag']]);
    const { body } = await service.request('POST', '/v1/employees', {
      as: { ...admin, scope: '' },
      body: { name: 'Eve', userId: 'eve', departmentId: DEPARTMENTS.first, salary: 7 },
      headers: { 'idempotency-key': `key-${database.name}` },
    });
    expect(body).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('are expected at a version, or as the caller has seen them', async () => {
    const { headers } = await get(path, head);
    const other = String((await get(path, stranger)).headers['etag']);
    expect((await patch(head, { name: 'x' }, { 'if-match': other })).status).toBe(412);
    expect((await patch(head, { name: 'x' }, { 'if-match': String(headers['etag']) })).status).toBe(200);
    expect((await patch(head, { name: 'y' }, { 'if-match': '"2"' })).status).toBe(200);
    expect((await patch(head, { name: 'z' }, { 'if-match': '"2"' })).status).toBe(412);
  });

  it('are one page in the cache for all who read the same', async () => {
    const calls = { lists: 0 };
    const restore = onList(service.store, () => calls.lists++);
    service.store.changesElsewhere = () => 0;
    const read = (as: As) => get('/v1/employees?limit=7&sort=name', as);
    await read({ sub: 'a', scope: 'staff:admin' });
    const before = calls.lists;
    const seen = await read({ sub: 'ann', scope: '' });
    expect(seen.body.data.map((one: Json) => one.salary)).toEqual([5000, null]);
    expect((await read({ sub: 'bob', scope: '' })).body.data.map((one: Json) => one.salary)).toEqual([null, 4000]);
    expect(calls.lists).toBeGreaterThan(before);
    restore();
  });
});

describe.each(databases)('code in the place of actions on rows whose properties have rules, on $name,', (database) => {
  it('gets whole rows, and its callers what they read of its answers', async () => {
    const seen: unknown[] = [];
    const employees = {
      get: async (_id: string, _context: object, next: () => Promise<Json>) => {
        const row = await next();
        seen.push(row.salary);
        return { ...row, notes: 'by code' };
      },
      list: (query: object, _context: object, next: (query: object) => Promise<Json>) => next(query),
      update: (input: object, { current }: Json, next: (input: object) => Promise<Json>) => {
        seen.push(current.salary);
        return next({ ...input, salary: current.salary + 1 });
      },
      create: (input: object, _context: object, next: (input: object) => Promise<Json>) =>
        next({ ...input, salary: 1 }),
    };
    const service = await startPayroll(database, { overrides: { employees } } as never);
    const read = async (as: As) => (await service.request('GET', path, { as })).body;
    expect(ruled(await read(stranger))).toEqual(HIDDEN);
    expect(ruled(await read(head))).toEqual({ ...HIDDEN, notes: 'by code' });
    const listed = await service.request('GET', '/v1/employees?sort=name', { as: stranger });
    expect(ruled(listed.body.data[0])).toEqual(HIDDEN);
    expect((await service.request('GET', '/v1/employees?sort=salary', { as: stranger })).status).toBe(403);
    const patch = (as: As, body: object) => service.request('PATCH', path, { as, body, headers: MERGE });
    expect((await patch(stranger, { name: 'A' })).body).toMatchObject({ name: 'A', salary: null, version: 2 });
    expect((await patch(stranger, { salary: 1 })).status).toBe(403);
    expect((await read(admin)).salary).toBe(5001);
    const body = { name: 'Eve', userId: 'eve', departmentId: DEPARTMENTS.first };
    const created = await service.request('POST', '/v1/employees', { as: stranger, body });
    expect(created).toMatchObject({ status: 201, body: { salary: null } });
    expect(
      (await service.request('POST', '/v1/employees', { as: stranger, body: { ...body, salary: 2 } })).status,
    ).toBe(403);
    expect(seen).toEqual([5000, 5000, 5000, 5001]);
    await service.close();
  });
});

describe.each(databases)('keys and what never changes, where it is hidden, on $name,', (database) => {
  it('are told of by no pointer, and by no guess', async () => {
    const contract = await editedContract('payroll', [
      [OPENAPI, 'x-search: [name, notes]', 'x-search: [name, notes]\n      x-unique: [[userId, mentorId]]'],
      [OPENAPI, /\n {8}- \{ name: mentorId, in: query.*/g, ''],
      ['schema.graphql', /(input EmployeeFilter \{[^}]*)\n {2}mentorId: .*/g, '$1'],
      [OPENAPI, '          x-inverse: mentored\n', '          x-inverse: mentored\n          x-immutable: true\n'],
      [OPENAPI, /(EmployeePatch:(?:\n {6}.*)*)\n {8}mentorId: .*/g, '$1'],
      ['schema.graphql', /(input EmployeePatch \{[^}]*)\n {2}mentorId: ID/g, '$1'],
    ]);
    const service = await startCompiled(contract, database);
    await refill(service);
    const { name, userId, departmentId, mentorId } = STAFF.ann;
    const body = { name, userId, departmentId, mentorId };
    const conflict = await service.request('POST', '/v1/employees', { as: stranger, body });
    expect(conflict).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_EXISTS', detail: 'Another Employee excludes this one.', errors: [{ pointer: '/userId' }] },
    });
    expect(conflict.text).not.toContain('mentorId');
    const { errors } = await service.graphql('{ employees { nodes { mentored { totalCount } } } }', { as: stranger });
    expect(errors![0]!.extensions).toMatchObject({ code: 'FORBIDDEN' });
    const put = async (as: As, more: object) =>
      (await service.request('PUT', path, { as, body: { name, userId, departmentId, ...more } })).status;
    expect(await put(stranger, { mentorId })).toBe(422);
    expect(await put(stranger, { mentorId: STAFF.ann.id })).toBe(422);
    expect(await put(stranger, { mentorId: null })).toBe(200);
    expect(await put(admin, { mentorId })).toBe(200);
    await service.close();
  });
});

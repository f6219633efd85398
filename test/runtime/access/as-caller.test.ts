import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { admin, ann, auditor, DEPARTMENTS, head, refill, STAFF, stranger } from '../../support/payroll.ts';
import { type Code, Probes, probedContract, READS, type Tables, WRITES } from '../../support/probes.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers
type Json = any;

const payroll = probedContract('payroll');
const RULED = ['salary', 'notes', 'badge', 'mentorId'] as const;
const ruled = (one: Json): object => Object.fromEntries(RULED.map((name) => [name, one[name] ?? null]));
/** Without a value first, as the id decides last. */
const sorted = (rows: Json[], sort: readonly string[]): Json[] =>
  rows.toSorted((a, b) => {
    for (const key of [...sort, 'id']) {
      const [name, sign] = key.startsWith('-') ? [key.slice(1), -1] : [key, 1];
      const [one, other] = [a[name] ?? null, b[name] ?? null];
      if (one !== other) return one === null || (other !== null && one < other) ? -sign : sign;
    }
    return 0;
  });
const CALLERS: readonly (readonly [string, As | undefined])[] = [
  ['whoever has the scope', admin],
  ['whoever has another scope', auditor],
  ['the head of the department', head],
  ['herself', ann],
  ['a stranger', stranger],
  ['a caller without a token', undefined],
];

describe.each(databases)('asCaller by rules of properties, on $name,', (database) => {
  const probes = new Probes();
  let service: Service;
  beforeAll(async () => {
    service = await startCompiled(await payroll, database, probes.handlers);
  });
  beforeEach(() => refill(service));
  afterAll(() => service.close());

  const run = (way: Parameters<Probes['run']>[1], as: As | undefined, code: Code) => probes.run(service, way, as, code);
  const names = (rows: readonly Json[]) => rows.map(({ name }) => name);

  describe.each(CALLERS)('for %s,', (_name, as) => {
    it('get, list and each show what the caller reads over its own requests', async () => {
      const { body } = await service.request('GET', '/v1/employees?sort=name', { ...(as && { as }) });
      const expected = body.data.map(ruled);
      for (const way of READS) {
        const read = await run(way, as, async ({ asCaller: { employees } }) => {
          const each: Json[] = [];
          for await (const one of employees.each({}, { sort: ['name'] })) each.push(one);
          const got = [await employees.get(STAFF.ann.id), await employees.get(STAFF.bob.id)];
          return { got, each, listed: await employees.list({}, { sort: ['name'] }), count: await employees.count() };
        });
        const { got, each, listed, count } = read.value as Json;
        expect([got, each, listed].map((rows) => rows.map(ruled))).toEqual([expected, expected, expected]);
        expect(count).toBe(2);
      }
    });

    it('a hidden property has no value in where, filters, counts and relations', async () => {
      const { body } = await service.request('GET', '/v1/employees?sort=name', { ...(as && { as }) });
      const salaries: Json[] = body.data.map(({ salary }: Json) => salary);
      const mentors: Json[] = body.data.map(({ mentorId }: Json) => mentorId);
      const found = (test: (salary: number | null) => boolean) => body.data.filter(({ salary }: Json) => test(salary));
      const filters: readonly (readonly [object, (salary: number | null) => boolean])[] = [
        [{ salary: 5000 }, (salary) => salary === 5000],
        [{ salary: { gte: 4500 } }, (salary) => salary !== null && salary >= 4500],
        [{ salary: [4000, 5000] }, (salary) => salary !== null],
        [{ salary: { isNull: true } }, (salary) => salary === null],
        [{ salary: null }, (salary) => salary === null],
        [{ not: { salary: 5000 } }, (salary) => salary !== 5000],
        [{ not: { salary: { isNull: true } } }, (salary) => salary !== null],
        [{ or: [{ salary: { lt: 4500 } }, { name: 'nobody' }] }, (salary) => salary !== null && salary < 4500],
      ];
      const way = READS[0];
      for (const [filter, test] of filters) {
        const read = await run(way, as, async ({ asCaller: { employees } }) => ({
          listed: await employees.list({}, { filter, sort: ['name'] }),
          count: await employees.count({}, { filter }),
        }));
        const { listed, count } = read.value as Json;
        expect([JSON.stringify(filter), names(listed), count]).toEqual([
          JSON.stringify(filter),
          names(found(test)),
          found(test).length,
        ]);
      }
      const { value } = await run(way, as, async ({ asCaller: { employees } }) => [
        await employees.count({ salary: 5000 }),
        await employees.count({ salary: null }),
        await employees.count({ mentorId: STAFF.bob.id }),
      ]);
      const counted = (all: Json[], wanted: Json) => all.filter((one) => one === wanted).length;
      expect(value).toEqual([counted(salaries, 5000), counted(salaries, null), counted(mentors, STAFF.bob.id)]);
    });

    it('totals are those of the rows that the caller reads, and of no property that is hidden on one of them', async () => {
      const { body } = await service.request('GET', '/v1/employees?sort=name', { ...(as && { as }) });
      for (const way of READS) {
        const counted = await run(way, as, ({ asCaller: { employees } }) =>
          employees.totals({}, { groupBy: ['name'] }),
        );
        expect(counted.value).toEqual(names(body.data).map((name) => ({ name, count: 1 })));
        for (const options of [
          { measures: ['salarySum'] },
          { groupBy: ['salary'] },
          { groupBy: ['name'], sort: ['-salaryMax'] },
        ]) {
          const asked = await run(way, as, ({ asCaller: { employees } }) => employees.totals({}, options));
          const isWhole = as === admin || as === auditor;
          expect([options, asked.error]).toEqual([options, isWhole ? undefined : 'FORBIDDEN']);
        }
      }
    });

    it('a hidden property has no value in orders', async () => {
      const { body } = await service.request('GET', '/v1/employees?sort=name', { ...(as && { as }) });
      const orders = [['salary'], ['-salary'], ['createdAt', '-salary'], ['badge', 'salary'], ['-notes', 'mentorId']];
      for (const sort of orders) {
        const expected = names(sorted(body.data, sort));
        const { value } = await run('readProbe', as, async ({ asCaller: { employees } }) => [
          names(await employees.list({}, { sort })),
          names(await employees.list({}, { sort, limit: 1 })),
        ]);
        expect([sort, value]).toEqual([sort, [expected, expected.slice(0, 1)]]);
      }
    });
  });

  const change =
    (values: object): Code =>
    async ({ asCaller }) =>
      ruled(await asCaller.employees.update(STAFF.ann.id, values));
  const stored = async (name: string): Promise<unknown> => {
    const { properties } = service.contract.resources.find(({ key }) => key === 'employees')!;
    return (await service.store.get('employees', STAFF.ann.id))![properties.findIndex((one) => one.name === name)];
  };

  it.each([
    ['by the scope', admin, { salary: 6000 }, 6000],
    ['by another scope', auditor, { salary: 6000 }, 'FORBIDDEN'],
    ['of what the caller reads and does not write', ann, { salary: 6000 }, 'FORBIDDEN'],
    ['of what the caller does not read', stranger, { salary: 6000 }, 'FORBIDDEN'],
    ['of the value that is hidden', stranger, { salary: 5000 }, 'FORBIDDEN'],
    ['of the value that is shown', ann, { salary: 5000 }, 5000],
    ['without a token', undefined, { salary: 6000 }, 'FORBIDDEN'],
  ] as const)('an update %s', async (_name, as, values, expected) => {
    for (const way of WRITES) {
      await refill(service);
      const outcome = await run(way, as, change(values));
      if (expected === 'FORBIDDEN') expect(outcome).toEqual({ error: 'FORBIDDEN' });
      else expect((outcome.value as Json).salary).toBe(expected);
      expect(await stored('salary')).toBe(expected === 'FORBIDDEN' ? 5000 : expected);
    }
  });

  it('writes nothing of what is refused, also where the code goes on', async () => {
    const outcome = await run('writeProbe', ann, async ({ asCaller, store }) => {
      const refusals: string[] = [];
      const tried = async (work: Promise<unknown>) => work.catch(({ code }) => refusals.push(code));
      await tried(asCaller.employees.update(STAFF.ann.id, { salary: 1, name: 'Rich' }));
      const made = { name: 'New', userId: 'ann', departmentId: DEPARTMENTS.first };
      await tried(asCaller.employees.create({ ...made, salary: 1 }));
      return [refusals, await store.employees.count(), (await store.employees.get(STAFF.ann.id)).name];
    });
    expect(outcome.value).toEqual([['FORBIDDEN', 'FORBIDDEN'], 2, 'Ann']);
    expect(await stored('salary')).toBe(5000);
  });

  it('reads what the transaction has written, and its own writes are versioned and judged', async () => {
    const outcome = await run('writeProbe', head, async ({ asCaller, store }) => {
      await store.employees.update(STAFF.ann.id, { name: 'Anna' });
      const read = await asCaller.employees.get(STAFF.ann.id);
      const written = await asCaller.employees.update(STAFF.ann.id, { notes: 'late' });
      const made = { name: 'New', userId: 'new', departmentId: DEPARTMENTS.first };
      const { version, notes } = await asCaller.employees.create({ ...made, notes: 'early' });
      return [read.name, read.version, written.version, written.salary, version, notes];
    });
    expect(outcome.value).toEqual(['Anna', 2, 3, null, 1, 'early']);
    const broken = await run('writeProbe', head, async ({ asCaller }: { asCaller: Tables }) =>
      asCaller.employees.update(STAFF.ann.id, { name: '' }),
    );
    expect(broken).toEqual({ error: 'INTERNAL_ERROR' });
    expect(await stored('name')).toBe('Anna');
  });

  it('an update cannot name another row by its id', async () => {
    await run('writeProbe', admin, async ({ asCaller, store }) => [
      await asCaller.employees.update(STAFF.ann.id, { id: STAFF.bob.id, name: 'One' }),
      await store.employees.update(STAFF.ann.id, { id: STAFF.bob.id, name: 'Two' }),
    ]);
    expect(await stored('name')).toBe('Two');
    const { body } = await service.request('GET', `/v1/employees/${STAFF.bob.id}`);
    expect(body.name).toBe('Bob');
  });

  it('writes nothing where the operation only reads', async () => {
    for (const way of READS) expect(await run(way, admin, change({ salary: 1 }))).toEqual({ error: 'INTERNAL_ERROR' });
    expect(await stored('salary')).toBe(5000);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { Probes, probedContract, READS, type Tables, WRITES } from '../../support/probes.ts';
import {
  admin,
  CLINICS,
  doctor,
  editor,
  fill,
  idOf,
  nurse,
  PEOPLE,
  type Person,
  reader,
  startClinic,
  stranger,
} from '../../support/ruled-clinic.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers
type Json = any;
type Work = (context: { readonly asCaller: Tables; readonly store: Tables }) => Promise<unknown>;

/** What the code has come to: its value, or the code of the error that it got. */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: Json) => error.code ?? error.name);
const namesOf = (rows: readonly Json[]): readonly string[] => rows.map(({ name }) => name).toSorted();

const PEOPLE_NAMES = Object.keys(PEOPLE) as Person[];
const CALLERS: readonly (readonly [string, As | undefined])[] = [
  ['whoever has the scope', admin],
  ['a doctor', doctor],
  ['a nurse of two wards', nurse],
  ['an editor', editor],
  ['a stranger', stranger],
  ['a caller without a token', undefined],
];

describe.each(databases)('asCaller in overrides, by rules of rows, on $name,', (database) => {
  let service: Service;
  let work: Work = async () => null;
  let found: unknown;
  let isUndone = false;
  const overridden: string[] = [];
  const overriding = async (given: unknown, context: Parameters<Work>[0], next: (given: unknown) => unknown) => {
    found = await outcomeOf(work(context));
    if (isUndone) throw new Error('undone');
    return next(given);
  };
  const counting = (action: string) => (given: unknown, _context: unknown, next: (given: unknown) => unknown) => {
    overridden.push(action);
    return next(given);
  };
  const handlers = {
    overrides: {
      appointments: { list: overriding, create: overriding },
      patients: Object.fromEntries(['list', 'get', 'create', 'update', 'delete'].map((one) => [one, counting(one)])),
    },
  } as unknown as AnyHandlers;
  beforeAll(async () => {
    service = await startClinic(database, handlers);
    await fill(service);
  });
  afterAll(() => service.close());

  const APPOINTMENT = { patientId: PEOPLE.known.id, doctorId: 'nobody', room: 'Z' };
  const reading = {
    REST: (as?: As) => service.request('GET', '/v1/appointments', { ...(as && { as }) }),
    GraphQL: (as?: As) => service.graphql('{ appointments { nodes { id } } }', as && { as }),
  };
  const writing = {
    REST: (as?: As) => service.request('POST', '/v1/appointments', { ...(as && { as }), body: APPOINTMENT }),
    GraphQL: (as?: As) =>
      service.graphql('mutation ($input: AppointmentInput!) { createAppointment(input: $input) { id } }', {
        ...(as && { as }),
        variables: { input: APPOINTMENT },
      }),
  };
  const run = async (ways: typeof reading | typeof writing, as: As | undefined, code: Work): Promise<unknown> => {
    work = code;
    const outcomes: unknown[] = [];
    for (const ask of Object.values(ways)) {
      found = 'not called';
      await ask(as);
      outcomes.push(found);
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    return outcomes[0];
  };

  it.each(CALLERS)('%s gets, lists and counts the rows of its own requests', async (_name, as) => {
    work = async () => null;
    const answered = await service.request('GET', '/v1/patients?count=true', { ...(as && { as }) });
    const seen = namesOf(answered.body.data);
    overridden.length = 0;
    const read = await run(reading, as, async ({ asCaller: { patients } }) => ({
      listed: namesOf(await patients.list()),
      count: await patients.count(),
      got: namesOf((await Promise.all(PEOPLE_NAMES.map((one) => patients.get(PEOPLE[one].id)))).filter(Boolean)),
      sorted: (await patients.list({}, { sort: ['-name'], limit: 2 })).map(({ name }: Json) => name),
      hidden: await patients.count({}, { filter: { not: { name: [...seen, 'nobody'] } } }),
      searched: namesOf(await patients.list({}, { filter: { name: { contains: 'e' } } })),
      below: namesOf(await patients.list({}, { filter: { clinic: { name: 'first' } } })),
    }));
    expect(read).toMatchObject({
      listed: seen,
      count: answered.body.page.totalCount,
      got: seen,
      sorted: seen.toReversed().slice(0, 2),
      hidden: 0,
      searched: seen.filter((name) => name.includes('e')),
    });
    expect(overridden).toEqual([]);
  });

  it('relations of filters go to readable rows alone, also where scopes keep the caller from their operations', async () => {
    const friendly: Work = async ({ asCaller, store }) => [
      await asCaller.patients.count({}, { filter: { friend: { name: 'hidden' } } }),
      await store.patients.count({}, { filter: { friend: { name: 'hidden' } } }),
      await asCaller.patients.count({}, { filter: { appointments: { some: { room: 'C' } } } }),
    ];
    expect(await run(reading, stranger, friendly)).toEqual([0, 1, 0]);
    expect(await run(reading, { sub: 'other', scope: '' }, friendly)).toEqual([1, 1, 1]);
    expect(await run(reading, stranger, async ({ asCaller }) => asCaller.invoices.count())).toBe(0);
  });

  it('a child is there where its parent is', async () => {
    const records: Work = async ({ asCaller }) => {
      const table = asCaller['patients.records'];
      return [
        (await table.get(idOf(41)))?.text ?? null,
        (await table.get(idOf(42)))?.text ?? null,
        await table.count(),
      ];
    };
    expect(await run(reading, doctor, records)).toEqual(['on the treated', null, 1]);
    expect(await run(reading, stranger, records)).toEqual([null, null, 0]);
    expect(await run(reading, undefined, records)).toEqual([null, null, 0]);
  });

  const patient = (clinicId: string, more: object = {}) => ({
    name: 'new',
    ward: 'NORTH',
    published: true,
    note: null,
    clinicId,
    friendId: null,
    ...more,
  });
  const writes: readonly (readonly [string, As | undefined, Work, unknown])[] = [
    [
      'creates what its rule allows',
      editor,
      async ({ asCaller }) => (await asCaller.patients.create(patient(CLINICS.first))).name,
      'new',
    ],
    ['creates nothing else', reader, ({ asCaller }) => asCaller.patients.create(patient(CLINICS.first)), 'FORBIDDEN'],
    [
      'creates nothing without a token',
      undefined,
      ({ asCaller }) => asCaller.patients.create(patient(CLINICS.first)),
      'REFERENCE_NOT_FOUND',
    ],
    [
      'refers to what it reads alone',
      editor,
      ({ asCaller }) => asCaller.patients.create(patient(CLINICS.first, { friendId: PEOPLE.hidden.id })),
      'REFERENCE_NOT_FOUND',
    ],
    [
      'changes what it may',
      editor,
      async ({ asCaller }) => (await asCaller.patients.update(PEOPLE.north.id, { note: 'seen' })).note,
      'seen',
    ],
    [
      'changes nothing that it reads and may not',
      reader,
      ({ asCaller }) => asCaller.patients.update(PEOPLE.north.id, { note: 'seen' }),
      'FORBIDDEN',
    ],
    [
      'does not find what it does not read',
      editor,
      ({ asCaller }) => asCaller.patients.update(PEOPLE.hidden.id, { note: 'seen' }),
      'NOT_FOUND',
    ],
    [
      'takes no row out of its rule',
      editor,
      ({ asCaller }) => asCaller.patients.update(PEOPLE.north.id, { ward: 'EAST' }),
      'FORBIDDEN',
    ],
    [
      'deletes nothing that it may not',
      editor,
      ({ asCaller }) => asCaller.patients.delete(PEOPLE.north.id),
      'FORBIDDEN',
    ],
    [
      'deletes what it may',
      { sub: 'editor', scope: 'clinic:delete', claims: { wards: ['NORTH'] } },
      ({ asCaller }) => asCaller.patients.delete(PEOPLE.north.id),
      undefined,
    ],
    [
      'adds below what it may change',
      editor,
      async ({ asCaller }) =>
        (await asCaller['patients.records'].create({ patientId: PEOPLE.north.id, text: 'x' })).text,
      'x',
    ],
    [
      'adds nothing below what it may not change',
      doctor,
      ({ asCaller }) => asCaller['patients.records'].create({ patientId: PEOPLE.treated.id, text: 'x' }),
      'FORBIDDEN',
    ],
    [
      'finds no hidden parent',
      editor,
      ({ asCaller }) => asCaller['patients.records'].create({ patientId: PEOPLE.hidden.id, text: 'x' }),
      'REFERENCE_NOT_FOUND',
    ],
    [
      'finds no missing parent',
      editor,
      ({ asCaller }) => asCaller['patients.records'].create({ patientId: idOf(99), text: 'x' }),
      'REFERENCE_NOT_FOUND',
    ],
    [
      'moves no child to what it may not change',
      { sub: 'editor', scope: 'clinic:admin' },
      async ({ asCaller, store }) => {
        const made = await store['patients.records'].create({ patientId: PEOPLE.north.id, text: 'x' });
        return asCaller['patients.records'].update(made.id, { patientId: PEOPLE.hidden.id });
      },
      'FORBIDDEN',
    ],
  ];
  it.each(writes)('%s', async (_name, as, code, expected) => {
    overridden.length = 0;
    const before = await service.store.count('patients', []);
    isUndone = true;
    const outcome = await run(writing, as, code);
    isUndone = false;
    expect(outcome).toBe(expected);
    expect(overridden).toEqual([]);
    expect(await service.store.count('patients', [])).toBe(before);
  });
});

const journal = probedContract('journal');
const ada: As = { sub: 'ada', scope: '' };
const bob: As = { sub: 'bob', scope: '' };
const owners: As = { sub: 'root', scope: 'diaries:admin' };

describe.each(databases)('asCaller by owner rules, on $name,', (database) => {
  const probes = new Probes();
  let service: Service;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    service = await startCompiled(await journal, database, probes.handlers);
    const made = await probes.run(service, 'writeProbe', ada, async ({ store }) => {
      for (const id of ['ada', 'bob']) await store.accounts.create({ id, name: id });
      const [one, two] = [
        await store.diaries.create({ writerId: 'ada', title: 'of ada' }),
        await store.diaries.create({ writerId: 'bob', title: 'of bob' }),
      ];
      await store['diaries.pages'].create({ diaryId: two.id, text: 'secret' });
      return [one.id, two.id];
    });
    [ids['ada'], ids['bob']] = made.value as [number, number];
  });
  afterAll(() => service.close());

  it.each([
    ['its own', ada, ['of ada']],
    ['those of all with the scope', owners, ['of ada', 'of bob']],
    ['none without a token', undefined, []],
  ] as const)('a caller reads %s', async (_name, as, titles) => {
    for (const way of READS) {
      const { value } = await probes.run(
        service,
        way,
        as,
        async ({ asCaller: { diaries, 'diaries.pages': pages } }) => [
          (await diaries.list()).map(({ title }: Json) => title),
          await diaries.count(),
          (await diaries.get(ids['bob']))?.title ?? null,
          await diaries.count({}, { filter: { title: { contains: 'of' } } }),
          await pages.count(),
        ],
      );
      const seesBob = (titles as readonly string[]).includes('of bob');
      expect(value).toEqual([titles, titles.length, seesBob ? 'of bob' : null, titles.length, seesBob ? 1 : 0]);
    }
  });

  const undone = async (as: As | undefined, code: Work): Promise<unknown> => {
    const outcomes: unknown[] = [];
    for (const way of WRITES) {
      let outcome: unknown;
      await probes.run(service, way, as, async (context) => {
        outcome = await outcomeOf(code(context));
        throw new Error('undone');
      });
      outcomes.push(outcome);
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    return outcomes[0];
  };

  it.each<readonly [string, As | undefined, Work, unknown]>([
    [
      'a new row is its caller’s',
      ada,
      async ({ asCaller }) => (await asCaller.diaries.create({ title: 'x' })).writerId,
      'ada',
    ],
    [
      'no row is made for others',
      ada,
      ({ asCaller }) => asCaller.diaries.create({ title: 'x', writerId: 'bob' }),
      'FORBIDDEN',
    ],
    [
      'the scope makes rows for others',
      owners,
      async ({ asCaller }) => (await asCaller.diaries.create({ title: 'x', writerId: 'bob' })).writerId,
      'bob',
    ],
    [
      'no row changes its owner',
      ada,
      ({ asCaller }) => asCaller.diaries.update(ids['ada'], { writerId: 'bob' }),
      'FORBIDDEN',
    ],
    [
      'the rows of others are not there',
      ada,
      ({ asCaller }) => asCaller.diaries.update(ids['bob'], { title: 'x' }),
      'NOT_FOUND',
    ],
    ['nor to delete', ada, ({ asCaller }) => asCaller.diaries.delete(ids['bob']), 'NOT_FOUND'],
    [
      'nor below them',
      ada,
      ({ asCaller }) => asCaller['diaries.pages'].create({ diaryId: ids['bob'], text: 'x' }),
      'REFERENCE_NOT_FOUND',
    ],
    [
      'nor by a reference',
      ada,
      ({ asCaller }) => asCaller.entries.create({ diaryId: ids['bob'], text: 'x' }),
      'REFERENCE_NOT_FOUND',
    ],
    [
      'a caller without a token makes none',
      undefined,
      ({ asCaller }) => asCaller.diaries.create({ title: 'x', writerId: 'bob' }),
      'FORBIDDEN',
    ],
    ['nor changes any', undefined, ({ asCaller }) => asCaller.diaries.update(ids['bob'], { title: 'x' }), 'NOT_FOUND'],
    [
      'nor refers to any',
      undefined,
      ({ asCaller }) => asCaller.entries.create({ diaryId: ids['bob'], text: 'x' }),
      'REFERENCE_NOT_FOUND',
    ],
  ])('%s', async (_name, as, code, expected) => {
    expect(await undone(as, code)).toBe(expected);
  });

  it('a naive download by store leaks what GET hides, and by asCaller does not', async () => {
    const download =
      (tables: 'store' | 'asCaller'): Work =>
      async (context) =>
        (await context[tables].diaries.get(ids['bob']))?.title ?? null;
    for (const as of [ada, undefined]) {
      expect((await service.request('GET', `/v1/diaries/${ids['bob']}`, { ...(as && { as }) })).status).toBe(
        as ? 404 : 401,
      );
      for (const way of [...READS, ...WRITES]) {
        expect(await probes.run(service, way, as, download('asCaller'))).toEqual({ value: null });
        expect(await probes.run(service, way, as, download('store'))).toEqual({ value: 'of bob' });
      }
    }
    expect(await probes.run(service, 'readProbe', bob, download('asCaller'))).toEqual({ value: 'of bob' });
  });
});

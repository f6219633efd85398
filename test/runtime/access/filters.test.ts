import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import {
  admin,
  CLINICS,
  doctor,
  editor,
  fill,
  nurse,
  PEOPLE,
  type Person,
  startClinic,
  stranger,
} from '../../support/ruled-clinic.ts';
import type { As, Reply, Service } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;
type Filter = Readonly<Record<string, unknown>>;

const EVERYBODY: readonly Person[] = ['treated', 'north', 'secret', 'known', 'hidden'];
const VISITS = [
  { patientId: PEOPLE.treated.id, doctorId: 'doctor', room: 'A' },
  { patientId: PEOPLE.hidden.id, doctorId: 'other', room: 'B' },
  { patientId: PEOPLE.known.id, doctorId: 'other', room: 'C' },
];
const MEMBERS = ['editor', 'reader'].map((userId) => ({ clinicId: CLINICS.first, userId }));

/** What a caller reads. */
interface Sight {
  readonly as: As | undefined;
  readonly people: readonly Person[];
  readonly clinics: readonly (keyof typeof CLINICS)[];
  readonly isAdmin?: true;
}

const other: As = { sub: 'other', scope: '' };
const CALLERS: Readonly<Record<string, Sight>> = {
  'an administrator': { as: admin, people: EVERYBODY, clinics: ['first', 'second'], isAdmin: true },
  'a doctor': { as: doctor, people: ['treated', 'known'], clinics: [] },
  'the other doctor': { as: other, people: ['known', 'hidden'], clinics: [] },
  'an editor': { as: editor, people: ['north', 'known'], clinics: ['first'] },
  'a nurse': { as: nurse, people: ['treated', 'north', 'known'], clinics: [] },
  'a stranger': { as: stranger, people: ['known'], clinics: [] },
  'a caller without a token': { as: undefined, people: ['known'], clinics: [] },
};

/** Rows in sight, and what they are related to. */
class Model {
  readonly #sight: Sight;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  names(filter: Filter): readonly string[] {
    return this.#people.filter((one) => this.#holds(one, filter)).map(({ name }) => name);
  }

  get #people() {
    return this.#sight.people.map((name) => ({ ...PEOPLE[name], name }));
  }

  #related(row: Json, name: string): readonly Json[] {
    const { clinics, as, isAdmin } = this.#sight;
    const seen = clinics.map((one) => ({ id: CLINICS[one], name: one }));
    switch (name) {
      case 'clinic':
        return seen.filter(({ id }) => id === row.clinicId);
      case 'friend':
        return this.#people.filter(({ id }) => id === row.friendId);
      case 'friends':
        return this.#people.filter(({ friendId }) => friendId === row.id);
      case 'appointments':
        return VISITS.filter((one) => one.patientId === row.id && (isAdmin || one.doctorId === as?.sub));
      case 'patient':
        return this.#people.filter(({ id }) => id === row.patientId);
      case 'patients':
        return this.#people.filter(({ clinicId }) => clinicId === row.id);
      case 'members':
        return MEMBERS.filter((one) => one.clinicId === row.id && seen.some(({ id }) => id === one.clinicId));
      default:
        throw new Error(name);
    }
  }

  #holds(row: Json, filter: Json): boolean {
    return Object.entries<Json>(filter).every(([name, value]) => {
      if (name === 'and') return value.every((one: Filter) => this.#holds(row, one));
      if (name === 'or') return value.some((one: Filter) => this.#holds(row, one));
      if (name === 'not') return !this.#holds(row, value);
      if (name in row) return compares(row[name], value);
      const related = this.#related(row, name);
      if (name === 'clinic' || name === 'friend' || name === 'patient')
        return related.some((one) => this.#holds(one, value));
      const some = (inner: Filter): boolean => related.some((one) => this.#holds(one, inner));
      return Object.entries<Json>(value).every(([word, inner]) => some(inner) === (word === 'some'));
    });
  }
}

function compares(own: Json, value: Json): boolean {
  if (Array.isArray(value)) return value.includes(own);
  if (typeof value !== 'object') return own === value;
  return Object.entries<Json>(value).every(([word, operand]) => {
    if (word === 'isNull') return (own === null) === operand;
    if (word === 'in') return operand.includes(own);
    if (word === 'contains') return own?.toLowerCase().includes(operand.toLowerCase()) === true;
    return own !== null && String(own).toLowerCase() === String(operand).toLowerCase();
  });
}

const leaves: readonly Filter[] = [
  { ward: 'EAST' },
  { ward: 'SOUTH' },
  { name: { eq: 'known' } },
  { name: { in: ['treated', 'hidden', 'nobody'] } },
  { name: { contains: 'RE' } },
  { note: { isNull: true } },
  { note: { isNull: false } },
  { note: { eq: 'secret' } },
  { note: { in: ['secret', 'plain'], contains: 'a' } },
  { friendId: { eq: PEOPLE.hidden.id.toUpperCase() } },
  { friendId: { isNull: true } },
];
const related: readonly Filter[] = [
  { clinic: { name: 'first' } },
  { clinic: { members: { some: { userId: 'editor' } } } },
  { clinic: { members: { none: {} } } },
  { clinic: { patients: { some: { note: { eq: 'secret' } } } } },
  { friend: {} },
  { friend: { ward: 'SOUTH' } },
  { friend: { note: { eq: 'secret' } } },
  { friend: { not: { note: { eq: 'secret' } } } },
  { friends: { some: { name: { eq: 'known' } } } },
  { friends: { none: { ward: 'SOUTH' } } },
  { appointments: { some: {} } },
  { appointments: { some: { doctorId: 'other' } } },
  { appointments: { none: { room: ['B', 'C'] } } },
  { appointments: { some: { doctorId: 'other' }, none: { room: ['B'] } } },
  { appointments: { some: { patient: { friend: { name: { eq: 'hidden' } } } } } },
];
const nested: readonly Filter[] = [
  {},
  { and: [] },
  { or: [] },
  { not: {} },
  { ward: 'SOUTH', note: { isNull: true } },
  { or: [{ ward: 'EAST' }, { clinic: { name: 'second' } }] },
  { and: [{ ward: 'NORTH' }, { not: { note: { eq: 'secret' } } }] },
  { not: { or: [{ ward: 'EAST' }, { appointments: { some: { room: ['C'] } } }] } },
  { not: { and: [{ ward: 'SOUTH' }, { friend: { ward: 'SOUTH' } }] } },
  { or: [{ not: { name: { eq: 'known' }, ward: 'SOUTH' } }, { friends: { some: {} } }], not: { ward: 'EAST' } },
];
const FILTERS = [...[...leaves, ...related].flatMap((one) => [one, { not: one }]), ...nested];

const QUERY = 'query ($f: PatientFilter) { patients(filter: $f) { totalCount nodes { name } } }';
const sorted = (names: readonly string[]): readonly string[] => names.toSorted();
const namesIn = ({ body }: Reply): readonly string[] => sorted(body.data.map((one: Json) => one.name));
const json = (filter: unknown): string => `filter=${encodeURIComponent(JSON.stringify(filter))}`;

describe.each(databases)('filters, on $name,', (database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startClinic(database);
    await fill(service);
  });
  afterAll(() => service.close());

  const get = (url: string, as: As | undefined): Promise<Reply> => service.request('GET', url, { ...(as && { as }) });
  const ask = (filter: unknown, as: As | undefined) =>
    service.graphql(QUERY, { ...(as && { as }), variables: { f: filter } });

  it.each(Object.entries(CALLERS))(
    'find of what %s reads what they ask for, and tell of no other row',
    async (_, sight) => {
      const model = new Model(sight);
      for (const filter of FILTERS.filter((one) => !(JSON.stringify(one) === '{"not":{}}'))) {
        const wanted = sorted(model.names(filter));
        const said = JSON.stringify(filter);
        const listed = await get(`/v1/patients?count=true&${json(filter)}`, sight.as);
        expect([said, listed.status, namesIn(listed)]).toEqual([said, 200, wanted]);
        expect([said, listed.body.page.totalCount]).toEqual([said, wanted.length]);
        const { data } = await ask(filter, sight.as);
        const found = { totalCount: wanted.length, names: wanted };
        expect([
          said,
          { totalCount: data?.patients.totalCount, names: sorted(data.patients.nodes.map((one: Json) => one.name)) },
        ]).toEqual([said, found]);
      }
    },
  );

  it('by a reference are parameters of its name', async () => {
    const first = await get('/v1/patients?clinic[name]=first', admin);
    expect(namesIn(first)).toEqual(['north', 'secret', 'treated']);
    const both = await get(`/v1/patients?clinic[name]=first&ward=NORTH&${json({ note: { eq: 'plain' } })}`, admin);
    expect(namesIn(both)).toEqual(['north']);
    expect(namesIn(await get('/v1/patients?clinic[name]=first', doctor))).toEqual([]);
    const records = `/v1/patients/${PEOPLE.treated.id}/records?patient[name]=`;
    expect((await get(`${records}treated`, admin)).body.data).toHaveLength(1);
    expect((await get(`${records}hidden`, admin)).body.data).toHaveLength(0);
    const nestedIn =
      'query ($p: RecordPatientFilter) { patient(id: "ID") { records(filter: { patient: $p }) { nodes { text } } } }';
    const asked = nestedIn.replace('ID', PEOPLE.treated.id);
    for (const [p, length] of [
      [{ name: 'treated', published: false }, 1],
      [{ published: true }, 0],
    ] as const) {
      const { data } = await service.graphql(asked, { as: admin, variables: { p } });
      expect(data.patient.records.nodes).toHaveLength(length);
    }
  });

  it('are bounded alike in both protocols', async () => {
    const many = { or: Array.from({ length: 51 }, () => ({ ward: 'EAST' })) };
    const deep = [1, 2, 3, 4, 5, 6].reduce<Filter>((inner) => ({ not: inner }), { ward: 'EAST' });
    for (const [filter, place] of [
      [many, 'filter/or/50/ward'],
      [deep, 'filter/not/not/not/not/not/not'],
    ] as const) {
      const { status, body } = await get(`/v1/patients?${json(filter)}`, admin);
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'VALIDATION_FAILED', place]);
      const { errors } = await ask(filter, admin);
      const { code, errors: faults } = errors![0]!.extensions as Json;
      expect([code, faults[0].argument]).toEqual(['VALIDATION_FAILED', place.replaceAll('/', '.')]);
      expect(faults[0].detail).toBe(body.errors[0].detail);
    }
    const most = { or: Array.from({ length: 50 }, () => ({ ward: 'EAST' })) };
    expect(namesIn(await get(`/v1/patients?${json(most)}`, admin))).toEqual(['treated']);
  });

  it('name what does not match the contract', async () => {
    for (const [filter, place] of [
      [{ or: [{ ward: 'WEST' }] }, 'filter/or/0/ward'],
      [{ clinic: { colour: 'red' } }, 'filter/clinic'],
    ] as const) {
      const { status, body } = await get(`/v1/patients?${json(filter)}`, admin);
      expect([status, body.errors[0].parameter.startsWith(place)]).toEqual([400, true]);
    }
    expect((await get('/v1/patients?filter={', admin)).status).toBe(400);
  });

  it('go only where the caller may read', async () => {
    const filter = { or: [{ ward: 'EAST' }, { invoices: { some: { total: 5 } } }] };
    expect((await get(`/v1/patients?${json(filter)}`, admin)).status).toBe(200);
    const { status, body } = await get(`/v1/patients?${json(filter)}`, doctor);
    const place = 'filter/or/1/invoices/some';
    expect([status, body.code, body.errors[0].parameter]).toEqual([403, 'FORBIDDEN', place]);
    const { errors } = await ask(filter, doctor);
    const { code, errors: faults } = errors![0]!.extensions as Json;
    expect([code, faults[0].argument]).toEqual(['FORBIDDEN', place.replaceAll('/', '.')]);
    expect((await get(`/v1/patients?${json(filter)}`, undefined)).status).toBe(401);
    expect((await ask(filter, undefined)).errors![0]!.extensions['code']).toBe('UNAUTHENTICATED');
  });

  it('belong to their cursors, however they are written', async () => {
    const filter = { ward: 'SOUTH' };
    const first = await get(`/v1/patients?limit=1&${json(filter)}`, admin);
    const cursor = first.body.page.nextCursor as string;
    expect((await get(`/v1/patients?limit=1&ward=SOUTH&cursor=${cursor}`, admin)).status).toBe(200);
    const elsewhere = await get(`/v1/patients?limit=1&cursor=${cursor}&${json({ clinic: { name: 'second' } })}`, admin);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'INVALID_CURSOR']);
    const paged = await get(`/v1/patients?limit=1&${json({ clinic: { name: 'first' } })}`, admin);
    const next = `/v1/patients?limit=1&cursor=${paged.body.page.nextCursor}&${json({ clinic: { name: 'first' } })}`;
    expect((await get(next, admin)).body.data).toHaveLength(1);
  });

  it('see what has changed elsewhere', async () => {
    const url = `/v1/patients?${json({ friend: { clinic: { name: 'first' } } })}`;
    const move = async (name: string): Promise<void> => {
      const path = `/v1/clinics/${CLINICS.second}`;
      const as: As = { sub: 'editor', scope: 'clinic:admin' };
      await service.store.transaction(async (transaction) => {
        const row = (await transaction.get('clinics', CLINICS.second))!;
        const { properties } = service.contract.resources.find(({ key }) => key === 'clinics')!;
        const at = properties.findIndex((property) => property.name === 'name');
        await transaction.update('clinics', row.with(at, name), ['name']);
      });
      expect((await get(path, as)).body.name).toBe(name);
    };
    expect(namesIn(await get(url, admin))).toEqual([]);
    await move('first');
    expect(namesIn(await get(url, admin))).toEqual(['known']);
    await move('second');
    expect(namesIn(await get(url, admin))).toEqual([]);
  });
});

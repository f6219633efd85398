import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { admin, fill, PEOPLE, startClinic } from '../../support/ruled-clinic.ts';
import type { Reply, Service } from '../../support/service.ts';

type Json = unknown;

/** A condition that holds a value, by the type that the value has in GraphQL. */
interface Place {
  readonly type: string;
  readonly path: string;
  readonly filter: (value: Json) => Json;
}

const CONDITIONS: readonly Place[] = [
  { type: 'PatientWard', path: 'ward', filter: (ward) => ({ ward }) },
  { type: 'TextFilter', path: 'name', filter: (name) => ({ name }) },
  { type: 'String', path: 'name.eq', filter: (eq) => ({ name: { eq } }) },
  { type: 'String', path: 'name.contains', filter: (contains) => ({ name: { contains } }) },
  { type: '[String!]', path: 'name.in', filter: (list) => ({ name: { in: list } }) },
  { type: 'String', path: 'name.eq', filter: (eq) => ({ name: { eq, isNull: false } }) },
  { type: 'Boolean', path: 'note.isNull', filter: (isNull) => ({ note: { isNull } }) },
  { type: 'DateTime', path: 'createdAt.gte', filter: (gte) => ({ createdAt: { gte } }) },
  { type: 'ID', path: 'friendId.eq', filter: (eq) => ({ friendId: { eq } }) },
  { type: 'ClinicFilter', path: 'clinic', filter: (clinic) => ({ clinic }) },
  // The schema of the filter allows it.
  { type: 'String', path: 'clinic.name', filter: (name) => ({ clinic: { name } }) },
  { type: 'PatientFilter', path: 'friend', filter: (friend) => ({ friend }) },
  { type: 'PatientListFilter', path: 'friends', filter: (friends) => ({ friends }) },
  { type: 'PatientFilter', path: 'not', filter: (not) => ({ not }) },
  { type: '[PatientFilter!]', path: 'or', filter: (or) => ({ or }) },
  { type: '[PatientFilter!]', path: 'and', filter: (and) => ({ and }) },
];

const AROUND: readonly Omit<Place, 'type'>[] = [
  { path: '', filter: (inner) => inner },
  { path: 'not.', filter: (not) => ({ not }) },
  { path: 'or.1.', filter: (inner) => ({ or: [{ ward: 'EAST' }, inner] }) },
  { path: 'and.0.', filter: (inner) => ({ and: [inner] }) },
  { path: 'friend.', filter: (friend) => ({ friend }) },
  { path: 'friends.some.', filter: (some) => ({ friends: { some } }) },
  { path: 'friends.none.', filter: (none) => ({ friends: { none } }) },
];

const PLACES: readonly Place[] = AROUND.flatMap((around) =>
  CONDITIONS.map(({ type, path, filter }) => ({
    type,
    path: around.path + path,
    filter: (value) => around.filter(filter(value)),
  })),
);

/** The place of a variable in a filter as JSON, which its name takes. */
const PLACEHOLDER = '$v';

/** A GraphQL literal. */
function literal(value: Json): string {
  if (value === PLACEHOLDER || value === 'EAST') return value as string;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(', ')} }`;
}

const json = (filter: Json): string => `filter=${encodeURIComponent(JSON.stringify(filter))}`;
const list = (filter: string): string => `{ patients(filter: ${filter}) { nodes { name } } }`;

describe.each(databases)('null in a filter, on $name,', (database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startClinic(database);
    await fill(service);
  });
  afterAll(() => service.close());

  const ask = (query: string, variables?: object) =>
    service.graphql(query, { as: admin, ...(variables && { variables }) });
  const fault = ({ status, body }: Reply) => [status, body.code, body.errors?.[0].parameter];

  it.each(PLACES.map((place) => [place.path, place] as const))(
    'at %s is refused with its path',
    async (path, place) => {
      const rest = await service.request('GET', `/v1/patients?${json(place.filter(null))}`, { as: admin });
      expect(fault(rest)).toEqual([400, 'VALIDATION_FAILED', `filter/${path.replaceAll('.', '/')}`]);
      const withVariable = list(literal(place.filter(PLACEHOLDER)));
      const asked = {
        literal: await ask(list(literal(place.filter(null)))),
        whole: await ask(`query ($f: PatientFilter) ${list('$f')}`, { f: place.filter(null) }),
        inside: await ask(`query ($v: ${place.type}) ${withVariable}`, { v: null }),
        default: await ask(`query ($v: ${place.type} = null) ${withVariable}`),
        'default of the whole': await ask(`query ($f: PatientFilter = ${literal(place.filter(null))}) ${list('$f')}`),
      };
      for (const [way, { data, errors }] of Object.entries(asked)) {
        const { code, errors: faults } = errors?.[0]?.extensions ?? {};
        expect([way, data ?? null, code, faults?.[0].argument]).toEqual([
          way,
          null,
          'VALIDATION_FAILED',
          `filter.${path}`,
        ]);
      }
    },
  );

  it('in a list is refused', async () => {
    for (const filter of [{ name: { in: [null] } }, { or: [null] }, { appointments: { some: { room: [null] } } }]) {
      expect((await service.request('GET', `/v1/patients?${json(filter)}`, { as: admin })).status).toBe(400);
      for (const { errors } of [
        await ask(list(literal(filter))),
        await ask(`query ($f: PatientFilter) ${list('$f')}`, { f: filter }),
      ])
        expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    }
  });

  it('that stands for the whole argument, and a variable without a value, are absent', async () => {
    const everybody = Object.keys(PEOPLE).length;
    for (const answer of [
      await ask(list('null')),
      await ask(`query ($f: PatientFilter) ${list('$f')}`, { f: null }),
      await ask(`query ($f: PatientFilter) ${list('$f')}`),
      await ask(`query ($f: PatientFilter = null) ${list('$f')}`),
      await ask(`query ($v: String) ${list('{ name: { eq: $v } }')}`),
      await ask(`query ($v: TextFilter) ${list('{ name: $v }')}`),
    ])
      expect([answer.errors, answer.data?.patients.nodes.length]).toEqual([undefined, everybody]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { databases } from '../../support/databases.ts';
import { type Edit, editedContract } from '../../support/edited-contract.ts';
import { type As, contractOf, type Service, startCompiled } from '../../support/service.ts';

const ANN = '01941f29-7c00-7a10-8c57-00000000000a';
const BOB = '01941f29-7c00-7a10-8c57-00000000000b';
const ann: As = { sub: ANN, scope: '' };
const bob: As = { sub: BOB, scope: '' };

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const PROPERTIES =
  /\b(?:createdAt|updatedAt|nextCursor|previousCursor|totalCountIsExact|totalCount|(?:person|group|membership|follow|follower|followed|leader)Id|toldTo)\b/g;
const inCamelCase = (): Promise<CompiledContract> => contractOf('club');
/** All of its properties, and parameters, in snake_case; the SDL is the same. */
const inSnakeCase = (): Promise<CompiledContract> =>
  editedContract('club', [
    ['openapi.yaml', PROPERTIES, snake as never],
    ['openapi.yaml', '  title: Club', '  title: Club\n  x-naming: { case: snake_case }'],
  ]);

const FIELDS = `{
  follows: followed(sort: [NAME_ASC]) { totalCount nodes { name followers(sort: [NAME_DESC]) { totalCount nodes { name } } } }
  isFollowedBy: followers { totalCount nodes { name } }
  groups { totalCount nodes { name people(sort: [NAME_ASC]) { totalCount nodes { name } } } }
}`;

describe.each(databases)('lists through resources on $name', (database) => {
  describe.each([
    ['camelCase', inCamelCase, (name: string) => name],
    ['snake_case', inSnakeCase, snake],
  ] as const)('in %s', (_, contract, spelled) => {
    let service: Service;
    const ids: Record<string, string> = {};
    beforeAll(async () => {
      service = await startCompiled(await contract(), database);
      for (const name of ['a', 'b', 'c']) await make('people', name, { name, visibility: 'PUBLIC' });
      await make('groups', 'g', { name: 'g', visibility: 'PUBLIC', leaderId: ANN });
      for (const pair of ['ab', 'ac', 'cb', 'aa'])
        await make('follows', pair, { followerId: ids[pair[0]!], followedId: ids[pair[1]!], toldTo: ANN });
      await make('follows', 'bc', { followerId: ids['b'], followedId: ids['c'], toldTo: BOB });
      for (const one of ['a', 'b'])
        await make('memberships', `${one}g`, { personId: ids[one], groupId: ids['g'], toldTo: ANN });
    });
    afterAll(() => service.close());

    async function make(list: string, name: string, values: object): Promise<void> {
      const body = Object.fromEntries(Object.entries(values).map(([key, value]) => [spelled(key), value]));
      const reply = await service.request('POST', `/v1/${list}`, { as: ann, body });
      expect(reply.status, reply.text).toBe(201);
      ids[name] = reply.body.id;
    }

    async function names(url: string, as: As = ann): Promise<[string, number]> {
      const { body } = await service.request('GET', `/v1/${url}?sort=name&count=true`, { as });
      return [body.data.map(({ name }: { name: string }) => name).join(''), body.page[spelled('totalCount')]];
    }

    it('go from a row to others of its own resource, either way', async () => {
      expect(await names(`people/${ids['a']}/followed`)).toEqual(['abc', 3]);
      expect(await names(`people/${ids['a']}/followers`)).toEqual(['a', 1]);
      expect(await names(`people/${ids['b']}/followers`)).toEqual(['ac', 2]);
      expect(await names(`people/${ids['b']}/followed`)).toEqual(['', 0]);
      expect(await names(`people/${ids['b']}/followed`, bob)).toEqual(['c', 1]);
      expect(await names(`people/${ids['c']}/followers`, bob)).toEqual(['b', 1]);
    });

    it('go through one resource both ways', async () => {
      expect(await names(`people/${ids['a']}/groups`)).toEqual(['g', 1]);
      expect(await names(`groups/${ids['g']}/people`)).toEqual(['ab', 2]);
      expect(await names(`people/${ids['c']}/groups`)).toEqual(['', 0]);
      expect((await service.request('GET', `/v1/groups/${ids['g']}/people`, { as: bob })).status).toBe(404);
    });

    it('are told the same within each other, in GraphQL', async () => {
      const { data } = await service.graphql(`{ person(id: "${ids['a']}") ${FIELDS} }`, { as: ann });
      const page = (text: string) => ({ totalCount: text.length, nodes: [...text].map((name) => ({ name })) });
      expect(data).toEqual({
        person: {
          follows: {
            totalCount: 3,
            nodes: [
              { name: 'a', followers: page('a') },
              { name: 'b', followers: page('ca') },
              { name: 'c', followers: page('a') },
            ],
          },
          isFollowedBy: page('a'),
          groups: { totalCount: 1, nodes: [{ name: 'g', people: page('ab') }] },
        },
      });
    });
  });

  const GROUP = '{ type: string, format: uuid, x-references: Group, ';
  const RULE = 'x-access: { read: [{ scope: club:see }, { where: { toldTo: $claims.sub } }] }';
  const untold: readonly Edit[] = [
    ['openapi.yaml', GROUP, `${GROUP.replace('string', "[string, 'null']")}${RULE}, `],
    ['schema.graphql', 'groupId: ID!\n  "', 'groupId: ID\n  "'],
  ];

  it('are refused to who may not read what joins on every row, as the document says', async () => {
    const contract = await editedContract('club', untold);
    const list = contract.document.paths['/people/{personId}/groups']!.get!;
    expect(Object.keys(list.responses ?? {})).toContain('403');
    const service = await startCompiled(contract, database);
    const all: As = { sub: ANN, scope: 'club:see' };
    const body = { name: 'a', visibility: 'PUBLIC' };
    const { id } = (await service.request('POST', '/v1/people', { as: ann, body })).body;
    const asked = async (as: As) => {
      const { status } = await service.request('GET', `/v1/people/${id}/groups`, { as });
      const { errors = [] } = await service.graphql(`{ person(id: "${id}") { groups { nodes { id } } } }`, { as });
      return [status, ...errors.map(({ extensions }) => extensions.code)];
    };
    expect(await asked(ann)).toEqual([403, 'FORBIDDEN']);
    expect(await asked(all)).toEqual([200]);
    await service.close();
  });
});

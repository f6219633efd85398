import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type SharedTestDatabase } from '../../support/databases.ts';
import { type Edit, editedContract } from '../../support/edited-contract.ts';
import { librarian } from '../../support/library.ts';
import { contractOf, type Reply, type Service, startCompiled } from '../../support/service.ts';

const YAML = 'openapi.yaml';
const SDL = 'library.graphql';
const AUTHOR = /(type Author \{\n)/g;

/** Contracts as they come before or after the one of the fixture, each with another order of columns. */
const VERSIONS: Readonly<Record<string, readonly Edit[]>> = {
  'a read-only property more': [
    [YAML, 'updatedAt, name, born]', 'updatedAt, rank, name, born]'],
    [
      YAML,
      /(updatedAt: .*\n)( {8}name: .*\n {8}country)/g,
      '$1        rank: { type: string, maxLength: 9, default: NEW }\n$2',
    ],
    [SDL, AUTHOR, '$1  rank: String!\n'],
  ],
  'an input property more': [
    [YAML, 'updatedAt, name, born]', 'updatedAt, motto, name, born]'],
    [YAML, /( {8})(name: .*\n {8}country: .*\n)/g, "$1motto: { type: string, maxLength: 20, default: 'None' }\n$1$2"],
    [
      YAML,
      "motto: { type: string, maxLength: 20, default: 'None' }\n        name: { type: string, minLength: 1, maxLength: 100 }\n        country: { type: [",
      'motto: { type: string, maxLength: 20 }\n        name: { type: string, minLength: 1, maxLength: 100 }\n        country: { type: [',
    ],
    [SDL, AUTHOR, '$1  motto: String!\n'],
    [SDL, /(input AuthorInput \{\n)/g, '$1  motto: String = "None"\n'],
    [SDL, /(input AuthorPatch \{\n)/g, '$1  motto: String\n'],
  ],
  'a property less': [
    [YAML, / +country: .*\n/g, ''],
    [YAML, / +- \{ name: country.*\n/g, ''],
    [SDL, / +country: .*\n/g, ''],
  ],
};

const CREATE = 'mutation ($input: AuthorInput!) { createAuthor(input: $input) { id version name born } }';
const kept = ({ status, text, headers }: Reply) => [status, text, headers['etag'], headers['location']];

describe.each(databases)('instances with different contracts on $name', (database) => {
  let shared: SharedTestDatabase;
  let present: Service;
  const others = new Map<string, Service>();

  beforeAll(async () => {
    const contracts = [
      await contractOf('library'),
      ...(await Promise.all(Object.values(VERSIONS).map((edits) => editedContract('library', edits)))),
    ];
    shared = await database.share(contracts.map(({ resources }) => resources));
    const services: Service[] = [];
    for (const [i, contract] of contracts.entries()) {
      const open = async () => ({ store: shared.stores[i]!, close: async () => {} });
      services.push(await startCompiled(contract, { ...database, open }));
    }
    present = services[0]!;
    Object.keys(VERSIONS).forEach((name, i) => void others.set(name, services[i + 1]!));
  });
  afterAll(async () => {
    for (const service of [present, ...others.values()]) await service?.close();
    await shared?.close();
  });

  const rest = (service: Service, key: string, body: object): Promise<Reply> =>
    service.request('POST', '/v1/authors', {
      as: librarian,
      body,
      headers: { 'idempotency-key': JSON.stringify(key) },
    });
  const graphql = (service: Service, key: string, input: object, document = CREATE) =>
    service.graphql(document, {
      as: librarian,
      variables: { input },
      headers: { 'idempotency-key': JSON.stringify(key) },
    });
  const count = async (): Promise<number> =>
    (await present.request('GET', '/v1/authors?count=true')).body.page.totalCount;

  describe.each(Object.keys(VERSIONS))('%s', (version) => {
    const [other, key] = [() => others.get(version)!, (name: string) => `${version} ${name}`];
    const body = { name: 'Ada', born: '1815-12-10' };

    it.each(['there', 'back'])('repeats an answer to the letter (%s)', async (way) => {
      const [one, two] = way === 'there' ? [present, other()] : [other(), present];
      const first = await rest(one, key(way), body);
      expect(first.status).toBe(201);
      const before = await count();
      expect(kept(await rest(two, key(way), body))).toEqual(kept(first));
      const { data } = await graphql(two, key(way), body);
      expect(data.createAuthor).toEqual({ id: first.body.id, version: 1, ...body });
      expect(await count()).toBe(before);
    });

    it.each(['there', 'back'])('repeats over REST what GraphQL has answered (%s)', async (way) => {
      const [one, two] = way === 'there' ? [present, other()] : [other(), present];
      const { data } = await graphql(one, key(`sdl ${way}`), body);
      const again = await rest(two, key(`sdl ${way}`), body);
      expect(again).toMatchObject({ status: 201, body: data.createAuthor });
      expect(kept(await rest(one, key(`sdl ${way}`), body))).toEqual(kept(again));
    });

    it('refuses another input', async () => {
      await rest(present, key('other'), body);
      const again = await rest(other(), key('other'), { ...body, name: 'Grace' });
      expect(again).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
      const { errors } = await graphql(other(), key('other'), { ...body, name: 'Grace' });
      expect(errors![0]!.extensions).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 });
    });
  });

  it('repeats an answer whose input the contract would refuse by now', async () => {
    const body = { name: 'Ada', country: 'GB' };
    const first = await rest(present, 'with country', body);
    const later = others.get('a property less')!;
    expect(kept(await rest(later, 'with country', body))).toEqual(kept(first));
    expect(await rest(later, 'country, too', body)).toMatchObject({ status: 400 });
  });

  it('tells GraphQL apart what was kept: null where that is allowed, an error where it is not', async () => {
    const body = { name: 'Ada' };
    const select = (field: string) =>
      `mutation ($input: AuthorInput!) { createAuthor(input: $input) { ...F } } fragment F on Author { id ${field} }`;
    const first = await rest(present, 'selected', body);
    const later = others.get('a read-only property more')!;
    const lacking = await graphql(later, 'selected', body, select('rank'));
    expect(lacking.data).toBeNull();
    expect(lacking.errors).toMatchObject([{ path: ['createAuthor'], extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }]);
    expect(lacking.errors![0]!.message).toMatch(/rank.*read/);
    const { data } = await graphql(later, 'selected', body, select('country'));
    expect(data.createAuthor).toEqual({ id: first.body.id, country: null });
  });

  it('creates nothing for a key that an earlier release of the server has kept', async () => {
    const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
    const key = hash([librarian.sub, 'authors', [], 'from before']);
    const text = JSON.stringify({ fingerprint: 'x', row: ['id', 1, 'Ada'] });
    const expires = new Date(Date.parse(present.now) + 60_000);
    await present.store.transaction((transaction) => transaction.remember(key, text, expires));
    const before = await count();
    const reply = await rest(present, 'from before', { name: 'Ada' });
    expect(reply).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    const { errors } = await graphql(present, 'from before', { name: 'Ada' });
    expect(errors![0]!.extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await count()).toBe(before);
  });
});

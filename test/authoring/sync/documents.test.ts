import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { Finding } from '../../../src/compiler/findings/finding.ts';
import { withFolder } from '../../support/folder.ts';
import { DOCUMENTS } from './support/documents.ts';

const PRODUCTS = 'test/readers/clients/products';

/** What sync makes of a document, and what its contract is then. */
const synchronised = (text: string) =>
  withFolder({ 'openapi.yaml': text }, async (folder) => {
    const files = await ContractFiles.open(folder);
    const outcome = await synchronise(files, { contracts: folder, from: 'openapi' });
    await files.save();
    const { findings, parity } = await modelContract(folder);
    const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '');
    const again = await ContractFiles.open(folder);
    await synchronise(again, { contracts: folder, from: 'openapi' });
    return {
      outcome,
      errors: findings.filter(({ severity }) => severity === 'error'),
      different: parity.filter(({ verdict }) => verdict === 'different'),
      sdl: (await read('schema.graphql')).replace(/^ *".*"\n/gm, ''),
      document: await read('openapi.yaml'),
      changedAgain: again.changes.map(({ path }) => path),
    };
  });

const documents = async (): Promise<readonly (readonly [string, string])[]> => {
  const products = (await readdir(PRODUCTS)).map(
    async (name) => [name, await readFile(join(PRODUCTS, name, 'openapi.yaml'), 'utf8')] as const,
  );
  return [...Object.entries(DOCUMENTS), ...(await Promise.all(products))];
};

/** Documents of which only the author can say something, with the rules that say it. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  'ids and names in other spellings': ['operation-id-missing'],
  dotnet: ['operation-id-missing'],
};
/** Documents of which GraphQL can read nothing. */
const WITHOUT_SDL = ['nothing to read', 'words'];

describe.each(await documents())('%s', (name, text) => {
  it('gets an SDL that passes, or what only the author can say', async () => {
    const { outcome, errors, different, sdl, changedAgain } = await synchronised(text);
    const said: readonly Finding[] = outcome.kind === 'synced' ? outcome.findings : [];
    expect(outcome.kind).toBe('synced');
    expect([errors.map(({ rule }) => rule), different]).toEqual([OPEN[name] ?? [], []]);
    expect(said.map(({ message }) => message)).toEqual(errors.map(({ message }) => message));
    expect(sdl === '').toBe(WITHOUT_SDL.includes(name));
    expect(changedAgain).toEqual([]);
  });
});

describe('what sync makes of a document of others', () => {
  it('keeps what stands beside a reference apart from the type that it shares', async () => {
    const { sdl } = await synchronised(DOCUMENTS['siblings of references']!);
    expect(sdl).toContain('type Thing {\n  name: String!\n}');
    expect(sdl).toContain('input ThingInput {\n  name: String!\n}');
    expect(sdl).toContain('type GetfirstResult {\n  name: String!\n  size: SafeInt!\n}');
    expect(sdl).toContain('input PostotherBInput {\n  name: String!\n  extra: String\n}');
    expect(sdl).toContain('enum PostotherC {\n  RED\n}');
    expect(sdl).toContain('  d: Colour\n');
  });

  it('has JSON for values of several types', async () => {
    const { sdl } = await synchronised(DOCUMENTS['values of several types']!);
    expect(sdl).toContain('  id: JSON\n  code: JSON\n  size: Float\n  any: JSON\n  flags: [JSON!]\n  level: JSON\n');
  });

  it('has JSON for types that would have no fields', async () => {
    const { sdl } = await synchronised(DOCUMENTS['types without fields']!);
    expect(sdl).toContain('  getsecret: JSON! @operation(id: "getsecret")');
    expect(sdl).toContain('input PostgivenInput {\n  inner: JSON\n  other: JSON\n  ping: JSON\n}');
    expect(sdl).toContain('type GetnoneResult {\n  none: JSON\n}');
    expect(sdl).toContain('union Signal = Ping | Stop');
  });

  it.each([
    ['forms and files', ['sendForm', 'putPhoto', 'getPhoto', 'upload']],
    ['security of several schemes', ['both']],
    ['headers, cookies and odd methods', ['headThing', 'optionsThing', 'traceThing']],
    ['names that collide', ['getdollars', 'getsearch']],
  ])('leaves to REST what GraphQL cannot have: %s', async (name, ids) => {
    const { outcome, document } = await synchronised(DOCUMENTS[name]!);
    expect(outcome).toMatchObject({ restOnly: ids.map((id) => expect.stringMatching(`^\`${id}\`: .+\\.$`)) });
    expect(document.match(/x-parity: ?\{ graphql: absent, because: "?.+\. ?"? ?\}/g)).toHaveLength(ids.length);
  });

  it('has arguments for required header fields and cookies', async () => {
    const { sdl } = await synchronised(DOCUMENTS['headers, cookies and odd methods']!);
    expect(sdl).toContain('  putThing(id: SafeInt!, xTrace: String!, input: ThingInput!): Thing!');
    expect(sdl).toContain('  dropThing(id: SafeInt!, xTrace: String!): Boolean!');
  });

  it('gives operations and types that would have one name names of their own', async () => {
    const { sdl } = await synchronised(DOCUMENTS['operations and types that would have one name']!);
    expect(sdl).toContain('  makeThing(input: MakeThingInput!): MakeThingResult! @operation(id: "make-thing")');
    expect(sdl).toContain('  makeThing_(input: MakeThing_Input!): MakeThing_Result! @operation(id: "make_thing")');
    expect(sdl).toContain('  _2Digits: Thing! @operation(id: "2 digits")');
    expect(sdl).toContain('  other(input: OtherInput_!): Thing! @operation(id: "other")');
    expect(sdl).toContain('  postodd(input: OtherInput!): Thing! @operation(id: "postodd")');
  });

  it('leaves a document without an SDL as it was', async () => {
    for (const name of ['nothing to read']) {
      const { document } = await synchronised(DOCUMENTS[name]!);
      expect(document).toBe(DOCUMENTS[name]);
    }
  });
});

it('the pages of a list have another name where the SDL has a type of the usual one', async () => {
  const managed = 'id: ID! version: Int! createdAt: DateTime! updatedAt: DateTime!';
  const list = (type: string): string =>
    `type ${type}Connection { edges: [${type}Edge!]! nodes: [${type}!]! pageInfo: PageInfo! totalCount: Int! }
type ${type}Edge { cursor: String! node: ${type}! }\n`;
  const root = (name: string, type: string): string =>
    `  ${name}s(first: Int = 20, after: String): ${type}Connection! @listSize(assumedSize: 100, slicingArguments: ["first"], sizedFields: ["edges", "nodes"])
  ${name}(id: ID!): ${type}\n`;
  const sdl = `schema @limits(depth: 10, cost: 1000) { query: Query }
scalar DateTime
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type Web { ${managed} name: String! }
type WebPage { ${managed} title: String! }
${list('Web')}${list('WebPage')}type Query {\n${root('web', 'Web')}${root('webPage', 'WebPage')}}\n`;
  await withFolder({ 'schema.graphql': sdl }, async (folder) => {
    const files = await ContractFiles.open(folder);
    expect(await synchronise(files, { contracts: folder, from: 'graphql' })).toMatchObject({
      kind: 'synced',
      findings: [],
    });
    await files.save();
    const { model, findings } = await modelContract(folder);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(model!.resources.map(({ name }) => name)).toEqual(['Web', 'WebPage']);
    expect(await readdir(join(folder, 'schemas'))).toEqual(
      expect.arrayContaining(['WebList.yaml', 'WebPagePage.yaml']),
    );
  });
});

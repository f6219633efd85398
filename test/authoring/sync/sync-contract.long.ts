import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { fixContract } from '../../../src/authoring/fix-contract.ts';
import { readResourceList } from '../../../src/authoring/scaffold/resource-list.ts';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { type Synced, type SyncOptions, syncContract, synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { handlers } from '../../../src/handlers/index.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { documentText } from '../../support/documents.ts';
import { oneIn } from '../../support/thorough.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function sync(options: Partial<SyncOptions> = {}): Promise<Synced & { readonly changed: readonly string[] }> {
  const files = await ContractFiles.open(folder);
  const outcome = await synchronise(files, { contracts: folder, ...options });
  const changed = files.changes.map(({ path }) => path);
  if (outcome.kind === 'synced') await files.save();
  return { ...outcome, changed };
}

const sdlFiles = async (): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.graphql') && !name.startsWith('released'),
  );

async function withoutSdl(contract: string): Promise<void> {
  await cp(contract, folder, { recursive: true });
  for (const name of await sdlFiles()) await rm(join(folder, name));
}

async function withoutPaths(contract: string): Promise<void> {
  await cp(contract, folder, { recursive: true });
  const file = join(folder, 'openapi.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/^paths:\n(?:[ \t].*\n|\n)*/m, 'paths: {}\n'));
}

const errors = async () => (await modelContract(folder)).findings.filter(({ severity }) => severity === 'error');

/** Whether a text has all characters of another, in their order. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at === part.length;
}

/** Faults and queries tried for each action. */
const SAMPLES = 1;

/** Contracts that are put through the proof with their new SDL. */
const PROVED = new Set([
  'contracts',
  ...['library', 'cats', 'diary', 'folders', 'atlas', 'depot', 'valid/shelter'].map((name) => `test/fixtures/${name}`),
]);

describe('the SDL of a contract that has none', () => {
  const derived: readonly (readonly [string, AnyHandlers])[] = [
    ['test/fixtures/depot', {}],
    ['contracts', handlers as unknown as AnyHandlers],
    ['test/fixtures/library', {}],
    ['test/fixtures/cats', {}],
    ['test/fixtures/folders', {}],
    ['test/fixtures/atlas', {}],
    ['test/fixtures/valid/shelter', {}],
  ];

  it.each(oneIn(3, derived))(
    'is derived from the OpenAPI document of %s, and both protocols do the same',
    async (contract, own) => {
      await withoutSdl(contract);
      expect(await sync()).toMatchObject({ kind: 'synced', findings: [] });
      const { model, parity } = await modelContract(folder);
      expect(parity.filter(({ verdict }) => verdict === 'different' || verdict === 'stale')).toEqual([]);
      if (PROVED.has(contract)) {
        const record = await prove({ contract: model!, handlers: own, samples: SAMPLES });
        expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
        expect(record.events).toBeGreaterThan(10);
      }
      expect((await sync()).changed).toEqual([]);
    },
  );

  it.each([
    ['custom operations alone', 'test/fixtures/exchange', []],
    ['ids of every kind', 'test/fixtures/atlas', []],
    ['an ordinary document', 'test/fixtures/custom', []],
    ['pages that cost more than a document may, which is reported', 'test/fixtures/invoices', ['parity-cost']],
  ])('is derived for %s', async (_what, contract, rules) => {
    await withoutSdl(contract);
    const outcome = await sync();
    expect(outcome.kind === 'synced' && outcome.findings.map(({ rule }) => rule)).toEqual(rules);
  });

  it('lacks the connections that nothing implies; they are listed, and added when asked for', async () => {
    await withoutSdl('contracts');
    const { open } = (await sync()) as Extract<Synced, { kind: 'synced' }>;
    expect(open.join('\n')).toContain('--connection User.orders');
    const { changed } = await sync({ connections: ['User.orders'] });
    expect(changed).toEqual(['graphql/users.graphql']);
    expect(await errors()).toEqual([]);
    const { model } = await modelContract(folder);
    expect(model!.graphql!.descriptor.fields['User.orders']).toMatchObject({ kind: 'connection', property: 'userId' });
    await expect(sync({ connections: ['User.colours'] })).rejects.toThrow('nothing refers that way');
  });
});

/** Parts of the storefront's SDL that its OpenAPI side implies, by file. */
const IMPLIED: readonly (readonly [what: string, file: string, text: RegExp])[] = [
  ['a field', 'products', /^ {2}"Words to find it by\."\n {2}tags: \[String!\]!\n/m],
  ['an argument', 'products', /^ {4}"The change applies to this version, or not at all\."\n {4}ifVersion: Int\n/m],
  ['a value of an enum', 'products', /^ {2}"Can be ordered no more\."\n {2}ARCHIVED\n/m],
  ['a filter', 'products', /^ {2}"Only products with so many left\."\n {2}stock: IntRange\n/m],
  ['a default', 'products', / = DRAFT/],
  ['access', 'products', / @auth\(scopes: \["products:write"\]\)/],
  ['the cost of a list', 'products', / @listSize\([^)]*\)/],
  ['an operation of its own', 'products', /^ {2}"What its reviews add up to\."\n {2}ratingSummary[^\n]*\n/m],
  ['a reference', 'reviews', /^ {2}"The product it is about\."\n {2}product: Product\n/m],
  ['a mutation', 'users', /^ {2}"[^"]*"\n {2}createUser\([^)]*\): User! @auth[^\n]*\n/m],
];

describe('an SDL that lacks something', () => {
  it('gets what the document implies, and every other line stays', async () => {
    await cp('contracts', folder, { recursive: true });
    const rest = new Map<string, string>();
    for (const [what, file, text] of IMPLIED) {
      const before = rest.get(file) ?? (await readFile(join(folder, 'graphql', `${file}.graphql`), 'utf8'));
      rest.set(file, before.replace(text, ''));
      expect(rest.get(file), what).not.toBe(before);
    }
    for (const [file, text] of rest) await writeFile(join(folder, 'graphql', `${file}.graphql`), text);
    const changed = [...rest.keys()].map((file) => `graphql/${file}.graphql`).sort();
    expect(await sync()).toMatchObject({ kind: 'synced', findings: [], changed });
    for (const [file, text] of rest) {
      const after = await readFile(join(folder, 'graphql', `${file}.graphql`), 'utf8');
      expect(isSubsequence(text, after), file).toBe(true);
    }
  });

  it('gets the edits that findings come with', async () => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    const file = join(folder, 'cats.graphql');
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replace('deleteCat(id: ID!, ifVersion: Int): ID!', '').replace('name: String!', 'name: ID!'),
    );
    await fixContract(folder);
    expect(await errors()).toEqual([]);
    const { graphql } = (await modelContract(folder)).model!;
    expect(graphql!.descriptor.fields).toHaveProperty(['Mutation.deleteCat']);
  });

  it('gets edits that refer to other files as each file does', async () => {
    await cp('contracts', folder, { recursive: true });
    const file = join(folder, 'paths/orders.yaml');
    const totals = join(folder, 'paths/order-totals.yaml');
    for (const place of [file, totals]) {
      const whole = await readFile(place, 'utf8');
      const rest = whole.replace(/ {4}- \$ref: \.\.\/parameters\/OrderStatuses\.yaml\n/, '');
      expect(rest, place).not.toBe(whole);
      await writeFile(place, rest);
    }
    await fixContract(folder);
    expect(await readFile(file, 'utf8')).toContain('../schemas/OrderStatus.yaml');
    expect(await errors()).toEqual([]);
  });

  it('is shown what it would get, and nothing is written, in a dry run', async () => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    const file = join(folder, 'cats.graphql');
    const less = (await readFile(file, 'utf8')).replace('  deleteCat(id: ID!, ifVersion: Int): ID!\n', '');
    await writeFile(file, less);
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    expect(await syncContract({ contracts: folder, dryRun: true })).toBe(0);
    const printed = log.mock.calls.join('\n');
    log.mockRestore();
    expect(printed).toMatch(/^--- .*cats\.graphql$[\s\S]*^\+ {2}deleteCat\(id: ID!, ifVersion: Int\): ID!$/m);
    expect(await readFile(file, 'utf8')).toBe(less);
  });

  it('keeps what contradicts the document, which is reported', async () => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    const file = join(folder, 'cats.graphql');
    await writeFile(file, (await readFile(file, 'utf8')).replace('name: String!', 'name: ID!'));
    const outcome = await sync();
    expect(outcome.changed).toEqual([]);
    expect(outcome).toMatchObject({ kind: 'synced', findings: [{ rule: 'parity-field' }] });
  });
});

describe('the OpenAPI document of a contract', () => {
  it('is written from an SDL alone, also where only the author can say what callers do not send', async () => {
    await cp('test/fixtures/festival/schema.graphql', join(folder, 'schema.graphql'));
    const first = await sync();
    expect(first).toMatchObject({ kind: 'synced', findings: [{ rule: 'required-initial' }] });
    expect(first.changed).toContain('openapi.yaml');
    const file = join(folder, 'openapi.yaml');
    await writeFile(file, `${await readFile(file, 'utf8')}x-tenant: { property: festivalId, claim: festival }\n`);
    expect(await sync()).toMatchObject({ kind: 'synced', changed: [] });
    expect(await errors()).toEqual([]);
  });

  it('names rows in paths as the fields of what is below them do', async () => {
    const sdl = await readFile('test/fixtures/conservatory/schema.graphql', 'utf8');
    const longer = sdl
      .replaceAll(/Lesson(?!Note)/g, 'CourseLesson')
      .replaceAll(/\blesson(?=\(|Created|Updated|Deleted)/g, 'courseLesson');
    await writeFile(join(folder, 'schema.graphql'), longer);
    expect(await sync()).toMatchObject({ kind: 'synced' });
    const { paths } = parse(await readFile(join(folder, 'openapi.yaml'), 'utf8'));
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/courses/{courseId}/lessons/{lessonId}',
        '/courses/{courseId}/lessons/{lessonId}/notes',
      ]),
    );
  });

  it.each([['test/fixtures/library'], ['test/fixtures/cats']])(
    'gets the paths that the SDL of %s implies',
    async (contract) => {
      await withoutPaths(contract);
      expect(await sync()).toMatchObject({ kind: 'synced', findings: [] });
      const { model, parity } = await modelContract(folder);
      expect(parity.filter(({ verdict }) => verdict === 'different')).toEqual([]);
      const { model: original } = await modelContract(contract);
      expect(model!.resources.map(({ key }) => key).sort()).toEqual(original!.resources.map(({ key }) => key).sort());
      const actions = ({ resources }: NonNullable<typeof model>) =>
        Object.fromEntries(resources.map(({ key, actions: of }) => [key, Object.keys(of).sort()]));
      expect(actions(model!)).toEqual(actions(original!));
    },
  );

  it('is derived whole from an SDL, but for what only its author knows', async () => {
    await cp('test/fixtures/cats/cats.graphql', join(folder, 'cats.graphql'));
    const outcome = await sync();
    expect(outcome).toMatchObject({ kind: 'synced', findings: [] });
    expect((outcome as Extract<Synced, { kind: 'synced' }>).open.join()).toContain('the facts of `Cat`');
    expect(await errors()).toEqual([]);
  });

  it('gets a property that the SDL has', async () => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    const file = join(folder, 'cats.graphql');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll('  bornOn: Date\n', '  bornOn: Date\n  chipped: Boolean\n'));
    expect(await sync()).toMatchObject({ kind: 'synced', findings: [], changed: ['openapi.yaml'] });
    const { schemas } = parse(await readFile(join(folder, 'openapi.yaml'), 'utf8')).components;
    expect(schemas.CatPatch.properties.chipped).toEqual({ type: ['boolean', 'null'] });
  });

  /** The cats with more in their SDL, and what `sync` makes of it. */
  async function withMore(edits: readonly (readonly [string, string])[], more = '') {
    await cp('test/fixtures/cats', folder, { recursive: true });
    const file = join(folder, 'cats.graphql');
    const text = edits.reduce((before, [from, to]) => before.replace(from, to), await readFile(file, 'utf8'));
    await writeFile(file, text + more);
    const outcome = await sync();
    const { paths, components } = parse(await readFile(join(folder, 'openapi.yaml'), 'utf8'));
    return { outcome, paths, components };
  }

  it('gets the filters, operators and orders that the SDL has', async () => {
    const { outcome, paths } = await withMore(
      [
        ['  colour: [Colour!]\n}', '  colour: [Colour!]\n  name: NameText\n  bornOn: Date\n}'],
        ['  BORN_ON_DESC\n', '  BORN_ON_DESC\n  COLOUR_ASC\n  COLOUR_DESC\n'],
      ],
      '\ninput NameText {\n  contains: String\n  eq: String\n}\n',
    );
    expect(outcome).toMatchObject({ kind: 'synced', findings: [], changed: ['openapi.yaml'] });
    const { parameters } = paths['/cats'].get;
    const named = (name: string) => parameters.find((one: { name: string }) => one.name === name);
    expect(named('sort').schema.items.enum).toEqual(['name', '-name', 'bornOn', '-bornOn', 'colour', '-colour']);
    expect(Object.keys(named('name').schema.properties)).toEqual(['contains', 'eq']);
    expect(named('name').schema.properties.eq).toMatchObject({ type: 'string', maxLength: 80 });
    expect(named('bornOn').schema).toEqual({ type: 'string', format: 'date' });
    const file = join(folder, 'cats.graphql');
    await writeFile(file, (await readFile(file, 'utf8')).replace('  eq: String\n', '  eq: String\n  gte: String\n'));
    expect(await sync()).toMatchObject({ kind: 'synced', findings: [], changed: ['openapi.yaml'] });
  });

  it('gets the operations that fields name, where their names say', async () => {
    const { outcome, paths, components } = await withMore(
      [
        [
          '  deleteCat(',
          '  adoptCat(id: ID!, input: AdoptionInput!): Cat! @operation(id: "adoptCat")\n  feedAll(grams: Int!): Boolean! @operation(id: "feedAll")\n  deleteCat(',
        ],
        ['  cat(id: ID!): Cat\n', '  cat(id: ID!): Cat\n  census(year: Int!): Census! @operation(id: "getCensus")\n'],
        ['  bornOn: Date\n}', '  bornOn: Date\n  pedigree: Pedigree @operation(id: "getPedigree")\n}'],
      ],
      '\ninput AdoptionInput {\n  name: String!\n}\ntype Census {\n  cats: Int!\n}\ntype Pedigree {\n  mother: String\n}\n',
    );
    expect(outcome).toMatchObject({ kind: 'synced', findings: [], changed: ['openapi.yaml'] });
    expect((outcome as Extract<Synced, { kind: 'synced' }>).open).toEqual([
      'whether `GET /cats/{catId}/pedigree` is the place for `getPedigree`.',
      'whether `GET /census` is the place for `getCensus`.',
      'whether `POST /cats/{catId}/adopt` is the place for `adoptCat`.',
      'whether `POST /feed-all` is the place for `feedAll`.',
    ]);
    expect(paths['/cats/{catId}/adopt'].post).toMatchObject({
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/AdoptionInput' } } },
      },
      responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Cat' } } } } },
    });
    expect(paths['/census'].get.parameters).toMatchObject([{ name: 'year', in: 'query', required: true }]);
    expect(components.schemas.FeedAllInput).toMatchObject({
      required: ['grams'],
      properties: { grams: { type: 'integer' } },
    });
    expect(paths['/feed-all'].post.responses).toEqual({ 204: { description: 'Done.' } });
  });

  it('lacks what the SDL does not say enough of, with what to write', async () => {
    const { outcome } = await withMore([
      [
        '  cat(id: ID!): Cat\n',
        '  cat(id: ID!): Cat\n  weather(id: ID!): Int @operation(id: "getWeather")\n  count: Int!\n',
      ],
    ]);
    const { open, findings } = outcome as Extract<Synced, { kind: 'synced' }>;
    expect(open).toEqual([
      'where `getWeather` is served: `Query.weather` does not name it; add its path to the document.',
      'whether REST has `Query.count`: write `@operation(id: "getCount")` on it, or `@parity(rest: ABSENT, because: "…")`.',
    ]);
    expect(findings.map(({ rule }) => rule).sort()).toEqual(['parity-custom', 'parity-custom']);
  });
});

describe('a list of resources', () => {
  /** The example of docs/reference/documents.md. */
  const LIST = /```yaml\n(# resources\.yaml\n[\s\S]*?)```/.exec(documentText('reference/documents.md'))![1]!;
  const DOCUMENT = 'openapi: 3.1.0\ninfo: { title: Library, version: 1.0.0 }\nservers: [{ url: /v1 }]\npaths: {}\n';

  it('becomes both sides of a contract, and what is added to it later, too', async () => {
    await writeFile(join(folder, 'openapi.yaml'), DOCUMENT);
    await writeFile(join(folder, 'resources.yaml'), LIST);
    expect(await sync()).toMatchObject({ kind: 'synced', findings: [] });
    const { model } = await modelContract(folder);
    expect(model!.resources.map(({ key, name }) => [key, name])).toEqual([
      ['authors', 'Author'],
      ['books', 'Book'],
      ['books.copies', 'BookCopy'],
      ['equipment', 'Device'],
    ]);
    expect(model!.graphql!.descriptor.fields).toHaveProperty(['Book.author']);
    const longer = LIST.replace('    title: string!', '    title: string!\n    pages: integer!');
    await writeFile(join(folder, 'resources.yaml'), longer);
    expect(await sync()).toMatchObject({ kind: 'synced', findings: [] });
    const after = await modelContract(folder);
    expect(after.model!.resources[1]!.properties.map(({ name }) => name)).toContain('pages');
    expect((await sync()).changed).toEqual([]);
  });

  it('may name what it refers to later', async () => {
    await writeFile(join(folder, 'openapi.yaml'), DOCUMENT);
    const [authors, ...others] = LIST.split(/\n(?=\S)/).slice(1);
    await writeFile(join(folder, 'resources.yaml'), [...others.toReversed(), authors].join('\n'));
    expect(await sync()).toMatchObject({ kind: 'synced', findings: [] });
  });

  it.each([
    ['- books', 'It is not a mapping'],
    ['books: [title]', '`books` is not a mapping'],
    ['books: { feilds: {} }', '`books` has `feilds`'],
    ['books: { fields: { title: strnig } }', 'Did you mean string?'],
  ])('that says %s is refused', (text, message) => {
    expect(() => readResourceList(text)).toThrow(message);
  });
});

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Finished, runHere } from '../../support/command.ts';
import { filledFolders, withFolder } from '../../support/folder.ts';

type Edit = readonly [file: 'openapi.yaml' | 'cats.graphql' | 'schema.graphql', part: RegExp, instead?: string];

/** A fixture with its output. */
const generated = filledFolders(async (folder, fixture) => {
  const [contracts, out] = [join(folder, 'contracts'), join(folder, 'generated')];
  await cp(`test/fixtures/${fixture}`, contracts, { recursive: true });
  expect((await runHere('scripts/generate.ts', ['--contracts', contracts, '--out', out])).code).toBe(0);
});

interface Run {
  /** `sync` if left out. */
  readonly script?: string;
  readonly flags?: readonly string[];
  readonly damaged?: Record<string, string>;
  /** By `contract --fix`, afterwards. */
  readonly isFixed?: boolean;
}

/** A contract whose output is that of the fixture, changed since then and synchronised. */
async function synchronised(
  contract: string,
  edits: readonly Edit[],
  { script = 'sync', flags = [], damaged = {}, isFixed = false }: Run = {},
) {
  return withFolder({}, async (folder) => {
    const [contracts, out] = [join(folder, 'contracts'), join(folder, 'generated')];
    await cp(await generated(contract), folder, { recursive: true });
    for (const [file, text] of Object.entries(damaged)) await writeFile(join(out, file), text);
    for (const [file, part, instead = ''] of edits) {
      const before = await readFile(join(contracts, file), 'utf8');
      const after = before.replace(part, instead);
      expect(after, String(part)).not.toBe(before);
      await writeFile(join(contracts, file), after);
    }
    const finished = await runHere(`scripts/${script}.ts`, ['--contracts', contracts, '--out', out, ...flags]);
    if (isFixed) {
      const fixed = ['--fix', '--only', 'contract', '--contracts', contracts, '--out', out];
      await runHere('scripts/contract.ts', fixed);
    }
    const files = (await readdir(contracts)).filter((name) => /\.(?:yaml|graphql)$/.test(name));
    const texts = await Promise.all(files.map(async (name) => [name, await readFile(join(contracts, name), 'utf8')]));
    return { ...finished, texts: Object.fromEntries(texts) as Record<Edit[0], string> };
  });
}

const BORN_ON_IN_SDL: Edit = ['cats.graphql', /^ {2}(?:bornOn: Date|BORN_ON_\w+)\n/gm];
const BORN_ON_IN_DOCUMENT: readonly Edit[] = [
  ['openapi.yaml', /, bornOn, -bornOn/g],
  ['openapi.yaml', /^ {8}bornOn: .*\n/gm],
];

describe('what one half has lost since both agreed', () => {
  it('is not put back into the SDL, and is named', async () => {
    const { code, stdout, texts } = await synchronised('cats', [BORN_ON_IN_SDL]);
    expect(texts['cats.graphql']).not.toMatch(/bornOn|BORN_ON/);
    expect(texts['openapi.yaml']).toContain('bornOn');
    expect(stdout).toContain('whether the OpenAPI document loses `Cat.bornOn`, `CatInput.bornOn` and 3 more');
    expect(stdout).not.toContain('both halves agree');
    expect(code).toBe(1);
  });

  it('is not put back into the document, and is named', async () => {
    const { code, stdout, texts } = await synchronised('cats', BORN_ON_IN_DOCUMENT);
    expect(texts['openapi.yaml']).not.toContain('bornOn');
    expect(texts['cats.graphql']).toContain('bornOn');
    expect(stdout).toContain('whether the SDL loses `Cat.bornOn`, `CatInput.bornOn` and 3 more');
    expect(code).toBe(1);
  });

  it('is not in the way of what is new', async () => {
    const { texts } = await synchronised('cats', [
      BORN_ON_IN_SDL,
      ['cats.graphql', /^(type Cat \{|input CatInput \{|input CatPatch \{)$/gm, '$1\n  chip: String'],
      ['openapi.yaml', /^( +)bornOn: (\{.*)$/gm, '$1bornOn: $2\n$1weight: { type: [number, "null"] }'],
    ]);
    expect(texts['cats.graphql'].match(/^ {2}weight: Float$/gm)).toHaveLength(3);
    expect(texts['openapi.yaml'].match(/^ {8}chip:/gm)).toHaveLength(3);
    expect(texts['cats.graphql']).not.toContain('bornOn');
  });

  it.each<[what: string, edit: Edit, kept: RegExp]>([
    ['an action, in the SDL', ['cats.graphql', /^ {2}deleteCat.*\n/m], /deleteCat/],
    ['an action, in the document', ['openapi.yaml', /^ {4}delete:\n(?: {6}.*\n)*/m], /deleteCat/],
    ['a filter, in the SDL', ['cats.graphql', /, filter: CatFilter/], /filter: CatFilter/],
    [
      'a filter, in the document',
      ['openapi.yaml', /^ {8}- name: colour\n(?: {10}.*\n)*/m],
      /Only cats of one of these colours|name: colour/,
    ],
    ['a value, in the SDL', ['cats.graphql', /^ {2}TABBY\n/m], /TABBY/],
    ['a value, in the document', ['openapi.yaml', /, TABBY/], /TABBY/],
    ['a count, in the SDL', ['cats.graphql', /^ {2}totalCount.*\n/m], /totalCount/],
    ['an order, in the document', ['openapi.yaml', /, -name/], /-name/],
  ])('stays away: %s', async (_what, edit, kept) => {
    const { code, stdout, texts } = await synchronised('cats', [edit], { isFixed: true });
    expect(texts[edit[0]]).not.toMatch(kept);
    expect(stdout).toMatch(/whether the (?:OpenAPI document|SDL) loses `/);
    expect(code).toBe(1);
  });

  it('is named by the edits that leave it out', async () => {
    const run = { script: 'contract', flags: ['--fix', '--only', 'contract'] };
    const { code, stderr, texts } = await synchronised('cats', [BORN_ON_IN_SDL], run);
    expect(stderr).toMatch(/^Not put back:\n(?: {2}CatInput\.bornOn, which one half has lost |.*\n)+$/);
    expect(texts['cats.graphql']).not.toContain('bornOn');
    expect(code).toBe(1);
  });

  it('is not put back by what is added', async () => {
    const run = { script: 'new', flags: ['field', 'cats', 'weight:number'] };
    const { code, stderr, texts } = await synchronised('cats', [BORN_ON_IN_SDL], run);
    expect(stderr).toMatch(/`Cat\.bornOn`: REST says `Date`, GraphQL does not have it[\s\S]*Nothing was written/);
    expect(texts['cats.graphql']).not.toMatch(/bornOn|weight/);
    expect(code).toBe(1);
  });

  it('may be a whole resource', async () => {
    const { stdout, texts } = await synchronised('cats', [
      [
        'openapi.yaml',
        /^paths:\n(?: .*\n)*/m,
        'paths:\n  /now:\n    get: { operationId: now, summary: Now, responses: { "204": { description: Now. } } }\n',
      ],
      ['openapi.yaml', /^ {4}Cat\w*:\n(?: {6}.*\n)*/gm],
    ]);
    expect(texts['openapi.yaml']).not.toMatch(/\/cats|CatInput/);
    expect(stdout).toContain('whether the SDL loses `Query.cats`');
  });

  it.each<[what: string, edit: Edit]>([
    ['SDL', ['schema.graphql', /^ {2}convert.*\n/m]],
    ['document', ['openapi.yaml', /^ {2}\/conversions:\n(?: {4}.*\n)*/m]],
  ])('may be a custom operation of the %s', async (_what, edit) => {
    const { stdout, texts } = await synchronised('exchange', [edit]);
    expect(texts[edit[0]]).not.toContain('convert');
    expect(stdout).toMatch(/whether the (?:OpenAPI document|SDL) loses `Mutation.convert`/);
  });

  it('may be a field that is not named as its operation', async () => {
    const { stdout, texts } = await synchronised('exchange', [['schema.graphql', /^ {2}rate.*\n/m]]);
    expect(texts['schema.graphql']).not.toMatch(/getRate|^ {2}rate\(/m);
    expect(stdout).toContain('whether the OpenAPI document loses `Query.rate`');
  });

  it('is not put back into an SDL that lacks a type which it refers to', async () => {
    const colour: Edit = ['cats.graphql', /^enum Colour \{\n(?: .*\n)*\}\n/m];
    const { code, texts } = await synchronised('cats', [BORN_ON_IN_SDL, colour]);
    expect(texts['cats.graphql']).toContain('enum Colour');
    expect(texts['cats.graphql']).not.toContain('bornOn');
    expect(code).toBe(1);
  });

  it('is not known from output that cannot be read', async () => {
    const { code, stderr, texts } = await synchronised('cats', [BORN_ON_IN_SDL], {
      damaged: { 'schema.graphql': '<<<<<<< ours' },
    });
    expect(stderr).toMatch(/generated cannot be read \(Syntax Error: .*\): restore it/);
    expect(texts['cats.graphql']).not.toContain('bornOn');
    expect(code).toBe(1);
  });

  it('is put back once, also where it is required', async () => {
    const edits: readonly Edit[] = [['openapi.yaml', /^ {8}(?:id|name): .*\n/gm]];
    const { code, texts } = await synchronised('cats', edits, { flags: ['--from', 'graphql'] });
    expect(texts['openapi.yaml']).toContain('required: [id, version, createdAt, updatedAt, name, colour]');
    expect(code).toBe(0);
  });

  it('is put back where one half is to follow the other', async () => {
    const { code, texts } = await synchronised('cats', [BORN_ON_IN_SDL], { flags: ['--from', 'openapi'] });
    expect(texts['cats.graphql'].match(/bornOn: Date/g)).toHaveLength(3);
    expect(code).toBe(0);
  });
});

describe('an entry of resources.yaml that the contract has lost', () => {
  const LIST = `# What we have.
authors:
  fields: { name: string!, born: date }
books:
  fields:
    # As printed.
    title: string!
    pages: integer! # without the cover
    author: ref(authors)!
    isbn: string!
books/copies:
  fields:
    shelf: string!
`;
  const DOCUMENT = 'openapi: 3.1.0\ninfo: { title: Library, version: 1.0.0 }\nservers: [{ url: /v1 }]\npaths: {}\n';
  const made = filledFolders(async (folder) => {
    const [contracts, out] = [join(folder, 'contracts'), join(folder, 'generated')];
    await mkdir(contracts);
    await writeFile(join(contracts, 'openapi.yaml'), DOCUMENT);
    await writeFile(join(contracts, 'resources.yaml'), LIST);
    for (const script of ['sync', 'generate'])
      expect((await runHere(`scripts/${script}.ts`, ['--contracts', contracts, '--out', out])).code).toBe(0);
  });

  type Run = readonly [script: 'generate' | 'sync', ...flags: string[]];

  /** The list and all other texts after runs over files that an author has edited. `edit`: none for a file that is removed. */
  const after = (
    edit: (text: string, file: string) => string | undefined,
    runs: readonly Run[] = [['generate'], ['sync']],
  ) =>
    withFolder({}, async (folder) => {
      const [contracts, out] = [join(folder, 'contracts'), join(folder, 'generated')];
      await cp(await made('library'), folder, { recursive: true });
      const read = (file: string) => readFile(join(contracts, file), 'utf8').catch(() => '');
      const files = (await readdir(contracts, { recursive: true })).filter((name) =>
        /\.(?:yaml|graphql|json)$/.test(name),
      );
      for (const file of files) {
        const text = edit(await read(file), file);
        await (text === undefined ? rm(join(contracts, file)) : writeFile(join(contracts, file), text));
      }
      const results: Finished[] = [];
      for (const [script, ...flags] of runs)
        results.push(await runHere(`scripts/${script}.ts`, ['--contracts', contracts, '--out', out, ...flags]));
      const others = await Promise.all(files.filter((file) => !file.startsWith('resources')).map(read));
      return {
        ...results.at(-1)!,
        texts: others.join('\n'),
        list: await read('resources.yaml'),
        record: await read('resources-lock.json'),
      };
    });

  /** Edits of all files but for the list and the record. */
  const elsewhere =
    (edit: (text: string) => string) =>
    (text: string, file: string): string =>
      file.startsWith('resources') ? text : edit(text);
  const renamed = elsewhere((text) =>
    text
      .replace(/\bborn\b/g, 'birthDate')
      .replace(/\bpages\b/g, 'length')
      .replace(/\bBORN/g, 'BIRTH_DATE'),
  );
  const RENAMED_LIST = LIST.replace(', born: date', '').replace(/ {4}pages: .*\n/, '');

  it.each<[what: string, runs: readonly Run[]]>([
    ['since the last output', [['sync']]],
    ['before the last output', [['generate'], ['sync']]],
    ['and was looked at first', [['generate'], ['sync', '--dry-run'], ['sync']]],
    ['in a clone without output', [['sync', '--out', 'nowhere']]],
  ])('leaves the list, for a property that is renamed or deleted: %s', async (_what, runs) => {
    const { stdout, texts, list, record } = await after(renamed, runs);
    expect(texts).toContain('birthDate:');
    expect(texts).not.toMatch(/\b(?:born|pages):/);
    expect(list).toBe(RENAMED_LIST);
    expect(JSON.parse(record).resources).toEqual({
      authors: ['name'],
      books: ['title', 'authorId', 'isbn'],
      'books/copies': ['shelf'],
    });
    expect(stdout).toContain(
      'The contract no longer has `authors.born` and `books.pages`: removed from resources.yaml.',
    );
  });

  it('is known from the last output where no record was written', async () => {
    const isRecord = (file: string) => file === 'resources-lock.json';
    const { list } = await after((text, file) => (isRecord(file) ? undefined : renamed(text, file)), [['sync']]);
    expect(list).toBe(RENAMED_LIST);
  });

  it('leaves the list, for a resource below another', async () => {
    const { stdout, texts, list } = await after(elsewhere((text) => text.replaceAll('/copies', '/specimens')));
    expect(texts).not.toContain('/copies');
    expect(list).toBe(LIST.slice(0, LIST.indexOf('books/copies')));
    expect(stdout).toContain('The contract no longer has `books/copies`: removed from resources.yaml.');
  });

  it('comes back with a line that is written again', async () => {
    await withFolder({}, async (folder) => {
      const [contracts, out] = [join(folder, 'contracts'), join(folder, 'generated')];
      await cp(await made('library'), folder, { recursive: true });
      const edit = async (file: string, change: (text: string) => string) => {
        const path = join(contracts, file);
        await writeFile(path, change(await readFile(path, 'utf8')));
      };
      const sync = () => runHere('scripts/sync.ts', ['--contracts', contracts, '--out', out]);
      for (const file of ['Book', 'BookInput', 'BookPatch'])
        await edit(`schemas/${file}.yaml`, (text) =>
          text.replace(/^ {2}pages:\n(?: {4}.*\n)+/m, '').replace(/^ +- pages\n/m, ''),
        );
      await edit('graphql/books.graphql', (text) => text.replace(/^ {2}pages: .*\n/gm, ''));
      await sync();
      expect(await readFile(join(contracts, 'resources.yaml'), 'utf8')).not.toContain('pages');
      await edit('resources.yaml', () => LIST);
      await sync();
      expect(await readFile(join(contracts, 'resources.yaml'), 'utf8')).toBe(LIST);
      expect(await readFile(join(contracts, 'schemas/Book.yaml'), 'utf8')).toContain('pages:');
    });
  });

  it('does not keep a line away that the list has got since then', async () => {
    const { texts, list } = await after((text, file) =>
      file === 'resources.yaml' ? text.replace('    isbn', '    blurb: text\n    isbn') : text,
    );
    expect(texts).toMatch(/\bblurb:/);
    expect(list).toContain('blurb');
  });

  it('is new to a contract that begins anew', async () => {
    const { texts, list } = await after(
      (text, file) => (file === 'openapi.yaml' ? DOCUMENT : file.startsWith('resources') ? text : undefined),
      [['sync']],
    );
    expect(texts).toContain('/books/{bookId}');
    expect(list).toBe(LIST);
  });

  it('is new to a copy that became another contract', async () => {
    const { texts, list } = await after(
      (text, file) => renamed(text, file).replace('title: Library', 'title: Archive'),
      [['sync']],
    );
    expect(texts).toMatch(/\bborn:/);
    expect(list).toBe(LIST);
  });

  it('is not known from a record that cannot be read', async () => {
    const conflict = (text: string) => text.replace('{', '{\n<<<<<<< ours');
    const { code, stderr, list } = await after((text, file) =>
      file === 'resources-lock.json' ? conflict(text) : renamed(text, file),
    );
    expect(stderr).toMatch(/resources-lock\.json cannot be read: restore it, or remove it/);
    expect([code, list]).toEqual([1, LIST]);
  });

  it('is not written with --dry-run', async () => {
    const { stdout, list, record } = await after(renamed, [['sync', '--dry-run']]);
    expect(stdout).toContain('-  fields: { name: string!, born: date }');
    expect(list).toBe(LIST);
    expect(record).toContain('"born"');
  });
});

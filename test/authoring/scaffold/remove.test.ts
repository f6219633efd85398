import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { addTo } from '../../../src/authoring/scaffold/addition.ts';
import { readAddition } from '../../../src/authoring/scaffold/read-addition.ts';
import { removeFrom } from '../../../src/authoring/scaffold/removal.ts';
import { readRemoval } from '../../../src/authoring/scaffold/removals.ts';
import { starterFiles } from '../../../src/authoring/scaffold/starter.ts';
import type { AdditionFlags, AdditionKind } from '../../../src/authoring/scaffold/words/addition-kinds.ts';
import { type Finished, runHere } from '../../support/command.ts';
import { textsIn } from '../../support/folder.ts';
import { isThorough, oneIn } from '../../support/thorough.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
});
afterEach(() => rm(folder, { recursive: true }));

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
};

/** Contracts that something is added to. */
const BASES: Readonly<Record<string, () => Promise<void>>> = {
  'a contract of one file': () => cp('test/fixtures/cats', folder, { recursive: true }),
  'a contract of many files': () => cp('contracts', folder, { recursive: true }),
  'a contract in snake_case': () => cp('test/fixtures/folders', folder, { recursive: true }),
  'a contract without an SDL': async () => {
    await BASES['a contract of one file']!();
    await rm(join(folder, 'cats.graphql'));
  },
  'an empty contract': () =>
    put('openapi.yaml', 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\ntags: []\npaths: {}\n'),
  'a contract in JSON': () =>
    put('openapi.json', '{ "openapi": "3.1.0", "info": { "title": "A", "version": "1.0.0" }, "paths": {} }\n'),
  'a new project': async () => {
    for (const [path, text] of starterFiles('depot', '1.0.0', 'npm'))
      if (path.startsWith('contracts/')) await put(path.slice('contracts/'.length), text);
    await add('resource', 'notes', ['title:string!']);
  },
};

type Step = readonly [kind: AdditionKind, target: string, words: readonly string[], flags?: AdditionFlags];

const add = async (...[kind, target, words, flags = {}]: Step) => {
  const outcome = await addTo(folder, readAddition(kind, target, words, flags));
  expect(outcome, `${kind} ${target}`).toMatchObject({ kind: 'written' });
};

const remove = async (...[kind, target, words]: Step) => {
  const outcome = await removeFrom(folder, readRemoval(kind, target, kind === 'resource' ? [] : words));
  if (outcome.kind === 'removed') await outcome.files.save();
  return outcome;
};

const WORDS = [
  'name:string!',
  'state:enum(OPEN,DONE)!',
  'on:date',
  'at:date-time',
  'sum:decimal',
  'size:int64',
  'isGood:boolean',
];
const RESOURCES: readonly Step[] = [
  ['resource', 'suppliers', WORDS],
  ['resource', 'geese', ['name:string!'], { singular: 'goose' }],
  ['resource', 'halls', ['name:string!', 'next:ref(halls)'], { id: 'slug' }],
  ['resource', 'lots', ['supplier:ref(suppliers)!', 'hall:ref(halls)', 'level:enum(LOW,HIGH)'], { id: 'integer' }],
  ['resource', 'suppliers/offices', [...WORDS, 'hall:ref(halls)']],
  ['resource', 'suppliers/offices/rooms', ['label:string!'], { id: 'text' }],
  ['resource', 'supplier-halls', ['supplier:ref(suppliers)!:immutable', 'hall:ref(halls)!:immutable']],
];
const PARTS: readonly Step[] = [
  ['field', 'suppliers', ['rank:integer!', 'mood:enum(GOOD,BAD)', 'code:string!:unique:immutable']],
  ['reference', 'suppliers', ['hall:halls', 'other:suppliers']],
  ['filter', 'suppliers', ['rank:gte,lte', 'mood', 'name:contains']],
  ['sort', 'suppliers', ['rank', 'code']],
  ['include', 'suppliers', ['hall']],
  ['include', 'suppliers', ['other', 'other.hall']],
  ['totals', 'suppliers', ['mood', 'rank:sum']],
  [
    'operation',
    'praiseSupplier',
    ['POST /suppliers/{supplierId}/praise', 'text:string!', 'tone:enum(LOW,LOUD)'],
    { returns: 'Supplier' },
  ],
  ['operation', 'bestSupplier', ['GET /best-supplier'], { returns: 'Supplier' }],
  ['error', 'SUPPLIER_ASLEEP', ['409', 'It sleeps.']],
  ['error', 'SUPPLIER_GONE', ['410']],
];

const ADDITIONS: readonly (readonly [what: string, steps: readonly Step[]])[] = [
  ['each kind of resource', RESOURCES],
  ['each part of a resource', [RESOURCES[0]!, RESOURCES[2]!, ...PARTS]],
  ['a batch', [RESOURCES[0]!, PARTS[0]!, ['batch', 'suppliers', []]]],
];

/** What a run of all tests adds to a contract, if it is not a batch. */
const SHORT: Readonly<Record<string, string>> = {
  'a contract of one file': 'each kind of resource',
  'a contract in JSON': 'each part of a resource',
  'a new project': 'each part of a resource',
};

/** Each contract with each addition: one in three has every contract once, and all additions. */
const CASES = Object.keys(BASES).flatMap((base, first) =>
  ADDITIONS.map((_, i) => {
    const [what, steps] = ADDITIONS[(2 * first + i) % ADDITIONS.length]!;
    return { base, what, steps };
  }),
);
const TRIED = isThorough ? oneIn(3, CASES) : CASES.filter(({ base, what }) => what === (SHORT[base] ?? 'a batch'));

describe('what new has added', () => {
  it.each(TRIED)('is taken away without a trace: $what, to $base', async ({ base, steps }) => {
    await BASES[base]!();
    const texts: Record<string, string>[] = [];
    for (const step of steps) {
      texts.push(await textsIn(folder));
      await add(...step);
    }
    for (const step of steps.toReversed()) {
      const outcome = await remove(...step);
      expect([step[1], outcome.kind]).toEqual([step[1], 'removed']);
      const [after, before] = [await textsIn(folder), texts.pop()!];
      const differing = new Set([...Object.keys(before), ...Object.keys(after)]);
      expect([step[1], [...differing].filter((path) => before[path] !== after[path])]).toEqual([step[1], []]);
    }
  });
});

describe('new --remove', () => {
  const project = async () => {
    await cp('test/fixtures/library', join(folder, 'contracts'), { recursive: true });
    await put('src/handlers/index.ts', 'export const handlers = {\n  authors: { create: () => undefined },\n};\n');
  };
  const run = (...words: string[]): Promise<Finished> =>
    runHere('scripts/new.ts', [...words, '--contracts', join(folder, 'contracts'), '--out', join(folder, 'generated')]);

  it('lists what goes and what is left, and writes nothing with --dry-run', async () => {
    await project();
    await run('resource', 'labels', 'text:string!', 'kind:enum(A,B)');
    await put(
      'contracts/resources.yaml',
      '# What we have.\nlabels:\n  fields: { text: string! }\nshops:\n  fields: { name: string! }\n',
    );
    await put('contracts/access.yaml', 'rows:\n  labels: {}\n');
    await put('src/handlers/labels.ts', '// Of labels.\n\nexport const labels = { createLabel: 1 };\n');
    const before = await textsIn(folder);
    const dry = await run('resource', 'labels', '--remove', '--dry-run');
    expect(dry.stderr).toBe('');
    expect(dry.stdout).toMatch(/^-\s+operationId: createLabel$/m);
    expect(await textsIn(folder)).toEqual(before);
    const { code, stdout } = await run('resource', 'labels', '--remove');
    const place = (path: string) => join(folder, path);
    expect(stdout).toContain(`Removed:
  GET /labels, POST /labels, GET /labels/{labelId}, PUT /labels/{labelId}, PATCH /labels/{labelId}, DELETE /labels/{labelId}
  schemas/Label, schemas/LabelInput, schemas/LabelPatch, schemas/LabelPage, schemas/LabelKind
  `);
    expect(stdout).toContain(`Left to you:
  the table labels with its rows: a file of migrations/ may drop it once no instance serves it
  ${place('contracts/access.yaml')}:2 which may name it
  ${place('src/handlers/labels.ts')}:1,3 which may name it
`);
    expect(code).toBe(0);
    const after = await textsIn(folder);
    expect(after['contracts/resources.yaml']).toBe('# What we have.\nshops:\n  fields: { name: string! }\n');
    const named = Object.keys(after).filter((path) => /\bLabel\b/.test(after[path]!) && !/access|handlers/.test(path));
    expect(named).toEqual([]);
  });

  it.each<[what: string, words: readonly string[], message: RegExp]>([
    [
      'a resource that others refer to',
      ['resource', 'authors'],
      /openapi\.yaml:\d+ #\/\S+authorId\S* refers to Author\n/,
    ],
    [
      'a resource with one below it',
      ['resource', 'books'],
      /openapi\.yaml:\d+ the resource Copy, \/books\/\{bookId\}\/copies, is below its path\n/,
    ],
    ['a property that a rule needs', ['field', 'loans', 'memberId'], /\bmemberId\b[\s\S]*Nothing was written/],
    ['what is managed', ['field', 'books', 'version'], /Every resource has version/],
    [
      'a part of a resource as the whole',
      ['resource', 'books', 'title:string!'],
      /remove one of its fields with: field books title --remove/,
    ],
    ['an unknown resource', ['resource', 'bocks'], /did you mean `books`/],
    ['an unknown field', ['field', 'books', 'titel'], /did you mean `title`/],
    ['an unknown filter', ['filter', 'books', 'version'], /no parameter version/],
    ['an unknown order', ['sort', 'books', 'version'], /cannot be sorted by version/],
    ['an unknown operation', ['operation', 'lendBok'], /unknown operation/],
    ['an unknown error', ['error', 'BOOK_LOST'], /declares no error BOOK_LOST/],
    ['nothing', ['field', 'books'], /Name the part to remove/],
    ['a file', ['ci'], /take neither --remove nor --dry-run/],
  ])('refuses %s', async (_what, words, message) => {
    await project();
    const before = await textsIn(folder);
    const { code, stderr } = await run(...words, '--remove');
    expect(stderr).toMatch(message);
    expect(code).toBeGreaterThan(0);
    expect(await textsIn(folder)).toEqual(before);
  });

  it('refuses what the SDL refers to, and the last that GraphQL reads', async () => {
    await BASES['a new project']!();
    const last = remove('resource', 'notes', []);
    await expect(last).rejects.toThrow('`Query` would have no field');
    await add('resource', 'labels', ['text:string!']);
    const path = 'graphql/schema.graphql';
    await put(
      path,
      `${await readFile(join(folder, path), 'utf8')}\nextend type Note { best: Label @parity(rest: ABSENT, reason: "Computed.") }\n`,
    );
    expect(await remove('resource', 'labels', [])).toMatchObject({
      kind: 'needed',
      by: [expect.stringMatching(/^graphql\/schema\.graphql:\d+ `Note\.best` refers to Label$/)],
    });
  });

  it('takes one tag of several', async () => {
    await BASES['an empty contract']!();
    for (const name of ['labels', 'shops']) await add('resource', name, ['text:string!']);
    expect(await remove('resource', 'labels', [])).toMatchObject({ kind: 'removed' });
    const { tags } = parse(await readFile(join(folder, 'openapi.yaml'), 'utf8'));
    expect(tags).toMatchObject([{ name: 'Shops' }]);
  });

  it('takes the list of the opposite direction along', async () => {
    await cp('test/fixtures/library', folder, { recursive: true });
    await add('resource', 'labels', ['author:ref(authors)!']);
    const sdl = await readFile(join(folder, 'library.graphql'), 'utf8');
    const field =
      'labels(first: Int = 20, after: String, filter: LabelFilter, sort: [LabelSort!]): LabelConnection! @listSize(assumedSize: 100, slicingArguments: ["first"], sizedFields: ["edges", "nodes"]) @auth(scopes: ["labels:read"])';
    await put('library.graphql', sdl.replace('type Author {', `type Author {\n  ${field}`));
    expect(await remove('resource', 'labels', [])).toMatchObject({ kind: 'removed' });
    const left = await readFile(join(folder, 'library.graphql'), 'utf8');
    expect(left.split('\n').filter((line) => /Label|labels/.test(line))).toEqual([]);
  });

  it('leaves a line of the list that is written again to sync', async () => {
    await BASES['an empty contract']!();
    const list = 'labels:\n  fields: { text: string!, note: text }\nshops:\n  fields: { name: string! }\n';
    await put('resources.yaml', list);
    const sync = () => runHere('scripts/sync.ts', ['--contracts', folder, '--out', join(folder, 'generated')]);
    await sync();
    await remove('field', 'labels', ['note']);
    await remove('resource', 'shops', []);
    expect(await readFile(join(folder, 'resources.yaml'), 'utf8')).toBe('labels:\n  fields: { text: string! }\n');
    await put('resources.yaml', list);
    await sync();
    expect(await readFile(join(folder, 'resources.yaml'), 'utf8')).toBe(list);
    expect(Object.keys(await textsIn(folder))).toContain('schemas/Shop.yaml');
  });

  it('--dry-run prints what would be added', async () => {
    await project();
    const before = await textsIn(folder);
    const { code, stdout } = await run('field', 'books', 'blurb:text', '--dry-run');
    expect(stdout).toMatch(/^\+ {2}blurb: String$/m);
    expect(stdout).toContain(`Would write:\n  ${join(folder, 'contracts', 'library.graphql')}`);
    expect([code, await textsIn(folder)]).toEqual([0, before]);
  });
});

import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, customer } from '../../contracts/samples/index.ts';
import { type Compiled, compileContract, modelContract } from '../../src/compiler/compile-contract.ts';
import { libraryFor } from '../../src/compiler/emit/folder/library.ts';
import { driftOf } from '../../src/compiler/emit/folder/output-folder.ts';
import { formatFindings } from '../../src/compiler/findings/report.ts';
import { lintFindings } from '../../src/compiler/gate/lint.ts';
import { readContract } from '../../src/compiler/read/read-contract.ts';
import { paste } from '../scripts/support/paste.ts';
import { withFolder } from '../support/folder.ts';
import { typeErrorsIn } from '../support/type-check.ts';
import { type Block, placeOf, readBlocks } from './support/blocks.ts';
import { faultIn } from './support/commands.ts';
import { edited } from './support/edited.ts';
import { isOfLibrary, libraryOf } from './support/library.ts';
import { generate, serveContract, tokenOf, writeSource } from './support/project.ts';
import { type Statement, statementsIn, substituted } from './support/shell.ts';
import { takeSteps } from './support/shop.ts';

const root = join(import.meta.dirname, '..', '..');
const LANGUAGES = ['sh', 'ts', 'yaml', 'graphql', 'json', 'text', 'diff'];
const MAX_NOT_RUN = 4;

const all = readBlocks();
const tried = all.filter(({ markers }) => markers['not run'] === undefined && markers['tested in'] === undefined);
const ofLibrary = tried.filter(isOfLibrary);
const ofShop = tried.filter((block) => !isOfLibrary(block));
const blocks = (language: string, from = tried): readonly Block[] =>
  from.filter((block) => block.language === language);
const named = (some: readonly Block[]) => some.map((block) => [placeOf(block), block] as const);

/** Both projects, in a folder far from this repository. */
let folder = '';
let written: readonly (readonly string[])[] = [];
let library: Compiled;
let addresses: { readonly library: string; readonly shop: string };
let types: ReadonlyMap<string, readonly string[]>;
const sources = new Map<Block, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-documents-'));
  const [books, shop] = [join(folder, 'library'), join(folder, 'shop')];
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await withFiles(books, libraryOf(ofLibrary));
  // As docs/contract.md says: the output lies in the folder of the contract.
  library = await generate(books, join(books, 'generated'));
  // Parts of this file become the whole.
  await writeSource(books, ofLibrary.find(({ words }) => words[0] === 'src/handlers/index.ts')!);
  written = await takeSteps(shop, ofShop);
  for (const block of blocks('ts')) {
    const project = isOfLibrary(block) ? 'library' : 'shop';
    sources.set(block, join(project, await writeSource(join(folder, project), block)));
  }
  const generated = [...library.files!.keys()].filter((path) => path.endsWith('.ts') && !path.startsWith('sdk/'));
  const paths = [...sources.values(), ...generated.map((path) => join('library/generated', path))];
  types = await typeErrorsIn(folder, paths);
  const override = blocks('ts').find(({ words }) => words[0] === 'src/handlers/coupons.ts')!;
  const index = blocks('ts').find(({ text }) => text.includes("from './coupons.ts'"))!;
  expect(sources.get(override)).toBe('shop/src/handlers/coupons.ts');
  const { model } = await modelContract(join(shop, 'contracts'));
  addresses = {
    library: await serveContract(books, library.model!, 'src/handlers/index.ts'),
    shop: await serveContract(folder, model!, sources.get(index)!),
  };
});
afterAll(() => rm(folder, { recursive: true }));

async function withFiles(project: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(project, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
}

describe('a code block of the documents', () => {
  it('is of a language that is tried, or says why it is not', () => {
    expect(all.length).toBeGreaterThan(50);
    expect(tried.filter(({ language }) => !LANGUAGES.includes(language)).map(placeOf)).toEqual([]);
    const skipped = all.filter(({ markers }) => markers['not run'] !== undefined);
    expect(skipped.filter(({ markers }) => markers['not run']!.length < 20).map(placeOf)).toEqual([]);
    expect(skipped.length).toBeLessThanOrEqual(MAX_NOT_RUN);
  });

  it('that another test runs is named there', () => {
    for (const block of all.filter(({ markers }) => markers['tested in'] !== undefined)) {
      const test = readFileSync(join(root, block.markers['tested in']!), 'utf8');
      expect(test, placeOf(block)).toContain(basename(block.document));
    }
  });
});

describe('a contract of the documents', () => {
  it('compiles with everything that they add to it, says the same over both protocols, and is not its own input', async () => {
    const { findings, parity, model } = library;
    expect(formatFindings(findings)).toBe('0 errors, 0 warnings');
    expect(parity.filter(({ verdict }) => verdict !== 'same' && verdict !== 'declared')).toEqual([]);
    expect(model!.resources.map(({ key }) => key).sort()).toEqual([
      'books',
      'books.copies',
      'branches',
      'loans',
      'magazines',
    ]);
    const [contracts, out] = [join(folder, 'library'), join(folder, 'library/generated')];
    const { files } = await compileContract(contracts, libraryFor(out));
    expect(await driftOf(out, files!)).toEqual({ stale: [], missing: [], extra: [] });
  });

  it('passes lint as it is, and the strict profile asks for words', async () => {
    const contracts = join(folder, 'library');
    const source = await readContract(contracts);
    expect((await lintFindings(contracts, source)).filter(({ severity }) => severity === 'error')).toEqual([]);
    await writeFile(join(contracts, 'redocly.yaml'), blocks('yaml').find(({ words }) => words[0] === 'redocly')!.text);
    const rules = new Set((await lintFindings(contracts, source)).map(({ rule }) => rule));
    expect([...rules]).toEqual(expect.arrayContaining(['redocly/operation-summary', 'redocly/parameter-description']));
  });

  it('has output whose types hold, wherever it lies', () => {
    const errors = [...types].filter(([path]) => path.startsWith('library/generated/')).flatMap(([, found]) => found);
    expect(errors).toEqual([]);
  });

  it.each(named(blocks('text', ofLibrary)))('has the finding of %s', async (_, { words, text }) => {
    expect(words).toEqual(['finding']);
    const [contract, schema] = ['yaml', 'graphql'].map(
      (language) => blocks(language, ofLibrary).find((block) => block.words[0] === 'contract')!.text,
    );
    const files = {
      'openapi.yaml': contract!,
      'schema.graphql': schema!.replace('assumedSize: 100', 'assumedSize: 50'),
    };
    await withFolder(files, async (changed) => {
      expect(formatFindings((await modelContract(changed)).findings)).toContain(text.trimEnd());
    });
  });

  it.each(named(blocks('graphql').filter(({ words }) => words.length === 0)))(
    'takes the document of %s',
    (_, { text }) => {
      expect(validate(buildSchema(library.model!.graphql!.sdl, { assumeValid: true }), parse(text))).toEqual([]);
    },
  );

  it.each(named(blocks('json')))('answers what %s shows', (_, { text, markers: { schema } }) => {
    const body = JSON.parse(text) as { readonly extensions?: { readonly code: string; readonly status: number } };
    const { document, errors } = library.model!;
    if (schema === 'error of GraphQL') {
      const { code, status } = body.extensions!;
      expect(errors[code]).toMatchObject({ status });
      return;
    }
    const ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema(document, 'contract');
    const isValid = ajv.compile({ $ref: `contract#/components/schemas/${schema}` });
    expect(isValid(body), JSON.stringify(isValid.errors)).toBe(true);
  });
});

describe('the storefront of the documents', () => {
  it.each(named(blocks('text', ofShop)))('gets the files that %s lists', (_, { text, words }) => {
    expect(words).toEqual(['files']);
    const listed = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ', 1)[0]!);
    expect(written.map((files) => [...files].sort())).toContainEqual(listed.sort());
  });

  it.each(named(blocks('yaml', ofShop).filter(({ words }) => words[0] === 'redocly')))(
    'is linted by %s',
    async (_, { text }) => {
      expect(await readFile(join(root, 'contracts/redocly.yaml'), 'utf8')).toBe(text);
    },
  );
});

describe('TypeScript', () => {
  it.each(named(blocks('ts')))('of %s has types that hold', (_, block) => {
    expect(types.get(sources.get(block)!)).toEqual([]);
  });
});

describe('a command', () => {
  const commands = blocks('sh').flatMap((block) =>
    statementsIn(block.text).map((one) => [placeOf(block), one] as const),
  );
  const calls = blocks('sh').map((block) => [block, statementsIn(block.text).filter(isCall)] as const);

  it.each(commands.filter(([, one]) => !isCall(one)))('of %s is known, with its flags: %o', async (_, statement) => {
    expect(await faultIn(statement)).toBeUndefined();
  });

  it.each(calls.filter(([, some]) => some.length > 0).map(([block, some]) => [placeOf(block), block, some] as const))(
    'of %s that calls the server is answered as it says',
    async (_, block, statements) => {
      const base = isOfLibrary(block) ? addresses.library : addresses.shop;
      for (const { text, comment } of statements) {
        const call = text.replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):3000/g, base).replace('curl -i', 'curl');
        const { status, body } = await paste(`${variables()}${call}`);
        const told = `${text}\n${status} ${JSON.stringify(body)}`;
        const expected = /^(?:(\d{3})|([A-Z_]{5,}))\b/.exec(comment);
        if (expected?.[1] !== undefined) expect(status, told).toBe(Number(expected[1]));
        else if (expected) expect(body.errors?.[0].extensions.code ?? body.code, told).toBe(expected[2]);
        else expect([Math.floor(status / 100), body.errors], told).toEqual([2, undefined]);
      }
    },
  );
});

const isCall = ({ words }: Statement): boolean => words[0] === 'curl';

/** The tokens that `npm start` prints, and those that the documents make themselves. */
function variables(): string {
  const made = blocks('sh')
    .flatMap(({ text }) => statementsIn(text))
    .flatMap(({ variables }) => Object.entries(variables))
    .flatMap(([name, value]) => {
      const [inner] = statementsIn(substituted(value) ?? '');
      if (!inner?.words.includes('token')) return [];
      const flag = (option: string): string => inner.words[inner.words.indexOf(option) + 1]!;
      return [[name, tokenOf(flag('--sub'), flag('--scope'))] as const];
    });
  const printed = [
    ['CUSTOMER', tokenOf(customer.subject, customer.scope)],
    ['ADMIN', tokenOf(admin.subject, admin.scope)],
  ] as const;
  return [...printed, ...made].map(([name, token]) => `${name}=${token}\n`).join('');
}

describe('what tries the blocks', () => {
  it.each([
    ['npm run generate -- --contract DIR', 'generate has no option --contract'],
    ['npm run generate -- DIR', 'generate takes no argument DIR'],
    ['npm run start-it', 'there is no npm script start-it'],
    ['npx lockstep initialise', 'there is no command initialise'],
    ['node src/server.ts', 'there is no src/server.ts'],
    ['JWT_SECRETS=a node src/main.ts', 'JWT_SECRETS is not a setting'],
    ['TOKEN=$(npm run --silent token -- --scopes "a b")', 'token has no option --scopes'],
    ['yarn start', 'yarn is not a known command'],
  ])('finds what is wrong with `%s`', async (text, fault) => {
    expect(await faultIn(statementsIn(text)[0]!)).toBe(fault);
  });

  it('reads commands as a shell does', () => {
    const [first, second] = statementsIn(
      `A="x y" curl -g 'http://h/?a[b]=1&c' \\\n  -d "{}" && cd b # 400, and # more`,
    );
    expect(first).toMatchObject({ variables: { A: 'x y' }, words: ['curl', '-g', 'http://h/?a[b]=1&c', '-d', '{}'] });
    expect(second).toMatchObject({ words: ['cd', 'b'], comment: '400, and # more' });
  });

  it('completes a part of a file by the rest of it', () => {
    const file =
      "import { a } from './a.ts';\nexport const handlers = { one: 1, two: 2, four: { five: 5, six: 5 } } satisfies H;\n";
    const block =
      "import { b } from './b.ts';\nexport const handlers = {\n  two: b,\n  four: { six: 6 },\n  three: 3,\n  // … the rest\n} satisfies H;\n";
    const whole = edited(file, block).replaceAll(/\s+/g, ' ');
    expect(whole).toBe(
      "import { b } from './b.ts'; import { a } from './a.ts'; export const handlers = { one: 1, two: b, four: { five: 5, six: 6 }, three: 3, } satisfies H; ",
    );
  });
});

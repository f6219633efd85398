import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Compiled, compileContract } from '../../../src/compiler/compile-contract.ts';
import { isError } from '../../../src/compiler/findings/finding.ts';
import { withFolder } from '../../support/folder.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

/** Names that platforms have in store for any object, or that stand for others. */
const OF_PLATFORMS = `toString constructor prototype hasOwnProperty valueOf default Promise Date Handlers X XRow
  undefined never then __proto__`.split(/\s+/);

/** What names the SDL of GraphQL, or a rule of Lockstep, gives a meaning. */
const MEANT =
  /^(?:__.*|Parity\w*|Query|Mutation|Subscription|String|Int|Float|Boolean|ID|true|false|null|BigInt|Decimal|SafeInt)$/;
const NAME = /(?<![\w$.'-])[A-Za-z_]\w*(?!\$)/g;
const TEXTS = /\/\*[\s\S]*?\*\/|\/\/.*$|'[^'\n]*'|"[^"\n]*"/gm;

/** Every name that generated code declares, imports or uses. */
async function usedNames(): Promise<readonly string[]> {
  const { files } = await compileContract('test/fixtures/library', libraryFrom(0));
  const code = [...files!].filter(([path]) => path.endsWith('.ts')).map(([, text]) => text.replaceAll(TEXTS, ''));
  return [...new Set([...code.flatMap((text) => text.match(NAME) ?? []), ...OF_PLATFORMS])].sort();
}

let names: readonly string[];
beforeAll(async () => {
  names = await usedNames();
  expect(names.length).toBeGreaterThan(500);
});

async function check({ files, findings }: Compiled): Promise<void> {
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const generated = [...files!].map(([path, text]) => [`generated/${path}`, text] as const);
  const errors = await typeErrors(Object.fromEntries(generated), { skipLibCheck: false });
  expect([...errors].filter(([, found]) => found.length > 0)).toEqual([]);
  const project = { ...Object.fromEntries(files!), 'package.json': '{ "type": "module" }' };
  await withFolder(project, async (folder) => {
    for (const entry of ['index', 'bound']) {
      const api = await import(pathToFileURL(join(folder, `sdk/${entry}.js`)).href);
      expect(api.createClient({ baseUrl: 'http://localhost' })).toBeTypeOf('object');
    }
  });
}

/** A type, an enum and an input of every name, and a field of each type. */
function sdlOf(names: readonly string[]): string {
  const types = names.map((name, i) => {
    const [next, last] = [names[(i + 1) % names.length], names.at(i - 1)];
    if (i % 3 === 0) return `type ${name} { value: ${next} ${last}: String }`;
    return i % 3 === 1 ? `enum ${name} { ${last} ONE }` : `input ${name} { value: ${last} ${next}: String }`;
  });
  const fields = names.flatMap((name, i) =>
    i % 3 === 0 ? [`${names[i + 1]}(${name}: String): ${name} @parity(rest: ABSENT, because: "Names alone.")`] : [],
  );
  return `${types.join('\n')}\nextend type Query {\n${fields.join('\n')}\n}\n`;
}

describe('a contract may have every name that generated code uses', () => {
  it('in OpenAPI', async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const text = { type: 'string' };
    const kinds = [
      () => ({ type: 'string', enum: names.slice(0, 50) }),
      (name: string) => ({ type: 'object', required: [name], properties: { [name]: text, toString: text } }),
      (_: string, i: number) => ({ type: 'array', items: ref(names[i - 1]!) }),
    ];
    const operationOf = (operationId: string) => {
      const content = { 'application/json': { schema: ref(operationId) } };
      const parameters = ['query', 'header'].map((place) => ({ name: operationId, in: place, schema: text }));
      return { operationId, parameters, requestBody: { content }, responses: { 200: { description: 'ok', content } } };
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Names', version: '1' },
      paths: Object.fromEntries(names.map((name) => [`/${name}`, { post: operationOf(name) }])),
      components: { schemas: Object.fromEntries(names.map((name, i) => [name, kinds[i % 3]!(name, i)])) },
    };
    const files = { 'openapi.yaml': JSON.stringify(document) };
    await check(await withFolder(files, (folder) => compileContract(folder, libraryFrom(1))));
  });

  it('in GraphQL', async () => {
    const compiled = await withFolder({}, async (folder) => {
      await cp('test/fixtures/cats', folder, { recursive: true });
      const path = join(folder, 'cats.graphql');
      const own = await readFile(path, 'utf8');
      const known = new Set(own.match(/\w+/g));
      let free = names.filter((name) => !known.has(name) && !MEANT.test(name));
      const compile = async () => {
        await writeFile(path, `${own}\n${sdlOf(free)}`);
        return compileContract(folder, libraryFrom(1));
      };
      for (;;) {
        const refused = (await compile()).findings
          .filter(isError)
          .map(({ location }) => location.pointer.split('.')[0]);
        if (refused.length === 0) break;
        expect(free).toEqual(expect.arrayContaining(refused));
        free = free.filter((name) => !refused.includes(name));
      }
      expect(free.length).toBeGreaterThan(300);
      return compile();
    });
    await check(compiled);
  });
});

import { appendFile, cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Compiled, compileContract } from '../../../src/compiler/compile-contract.ts';
import { upperFirst } from '../../../src/compiler/model/naming.ts';
import { withFolder } from '../../support/folder.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

/** Names that platforms have in store for any object, or that stand for others. */
const OF_PLATFORMS = `toString constructor prototype hasOwnProperty valueOf default Promise Date Handlers X XRow
  undefined never then __proto__`.split(/\s+/);

/** What names the SDL of GraphQL, or a rule of Lockstep, gives a meaning. */
const MEANT =
  /^(?:__.*|Query|Mutation|Subscription|String|Int|Float|Boolean|ID|true|false|null|BigInt|Decimal|SafeInt)$/;
/** Names that convention and graphql-codegen derive from those of resources, types and fields. */
const DERIVED =
  /^(?:Cat|Nap|Parity|Owner|Action|Resolvers)|(?:Input|Patch|Filter|Connection|Edge|Sort|Range|Args|Resolvers?|ScalarConfig|(?:Query|Mutation|Subscription)(?:Variables)?)$/;

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
      const known = new Set((await readFile(path, 'utf8')).match(/\w+/g));
      // graphql-codegen looks types up among the members of objects.
      const isFree = (name: string) =>
        !known.has(name) && !MEANT.test(name) && !DERIVED.test(upperFirst(name)) && !(name in {});
      // Types, and fields, that differ in the case of their first letter alone have one name in TypeScript.
      const free = [...new Map(names.filter(isFree).map((name) => [upperFirst(name), name])).values()];
      const triples = Array.from({ length: Math.floor(free.length / 3) }, (_, i) => free.slice(3 * i, 3 * i + 3));
      const types = triples.map(
        ([type, list, input], i) =>
          `type ${type} { value: ${list} ${input}: String }\nenum ${list} { ${free[i]} ONE }\ninput ${input} { value: ${list} ${type}: String }`,
      );
      const fields = triples.map(
        ([type, list, input]) =>
          `${list}(${type}: String, input: ${input}): ${type} @parity(rest: ABSENT, because: "Names alone.")`,
      );
      await appendFile(path, `\n${types.join('\n')}\nextend type Query {\n${fields.join('\n')}\n}\n`);
      return compileContract(folder, libraryFrom(1));
    });
    await check(compiled);
  });
});

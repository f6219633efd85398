import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { mockHandlers } from '../../../src/authoring/mock/mock-handlers.ts';
import { type Compiled, compileContract } from '../../../src/compiler/compile-contract.ts';
import { sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';
import { ORDINARY_DOCUMENTS } from '../../support/ordinary-documents.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

const compiled = new Map<string, Compiled>();
const modelOf = (name: string) => compiled.get(name)!.model!;

beforeAll(async () => {
  for (const [name, files] of Object.entries(ORDINARY_DOCUMENTS)) {
    const folder = typeof files === 'string' ? { 'openapi.yaml': files } : files;
    compiled.set(name, await withFolder(folder, (path) => compileContract(path, libraryFrom(1))));
  }
});

const NAMES = Object.keys(ORDINARY_DOCUMENTS);

/** Asks for every operation as its examples do, with all of its parameters. */
async function answersOf(name: string, service: TestService) {
  const takesTokens = JSON.stringify(modelOf(name).document.components?.securitySchemes ?? {}).includes('oauth2');
  const caller = takesTokens ? service.as({ sub: 'someone' }) : service.anonymous;
  const headers = { ...(!takesTokens && { authorization: 'Basic eDp5' }), 'x-client': 'x', 'x-secret': 'y' };
  return Promise.all(
    sampleRequests(modelOf(name)).map(async ({ method, path, inPath, inQuery, body }) => {
      const filled = inPath.reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(one.value)), path);
      const query = inQuery.map((one) => `${one.name}=${encodeURIComponent(one.value)}`).join('&');
      const url = query === '' ? filled : `${filled}?${query}`;
      const sent = body && { body: body.text, headers: { ...headers, 'content-type': body.type } };
      return { ...(await caller.request(method, url, sent ?? { headers })), url };
    }),
  );
}

/** A form is decoded; a multipart body is a stream. */
const FORM_HANDLERS = `import type { Handlers } from './handlers.ts';

export const handlers = {
  operations: {
    sendMessage: ({ input }, { reply }) =>
      reply({ status: 200, headers: { to: input?.To.slice(1), tags: input?.Tags.length } }),
  },
  routes: {
    addFile: async ({ body }) => ({ status: 200, headers: { length: (await body.toArray()).length } }),
  },
} satisfies Handlers;
`;

describe('an ordinary document with', () => {
  test.each(NAMES)('%s compiles, with warnings at most, each of them at a line', (name) => {
    const { findings } = compiled.get(name)!;
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    for (const { location } of findings) expect(location).toMatchObject({ file: /\.yaml$/, line: expect.any(Number) });
  });

  test.each(NAMES)('%s is answered by the mock, in every operation', async (name) => {
    const contract = modelOf(name);
    await using service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
    for (const { status, url, text } of await answersOf(name, service))
      expect(status, `${url}: ${text}`).toBeLessThan(400);
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('any of these has output that type-checks without `skipLibCheck`', async () => {
    const files = NAMES.flatMap((name, index) =>
      [...compiled.get(name)!.files!].map(([path, text]) => [`${index}/${path}`, text] as const),
    );
    const own = `${NAMES.indexOf('forms, encoded in a URL and in parts')}/handlers-of-forms.ts`;
    const errors = await typeErrors({ ...Object.fromEntries(files), [own]: FORM_HANDLERS }, { skipLibCheck: false });
    const named = [...errors].flatMap(([path, lines]) =>
      lines.map((line) => `${NAMES[Number.parseInt(path, 10)]} ${path}:${line}`),
    );
    expect(named).toEqual([]);
  }, 120_000);
});

test('an example answers where no draw fits the schema', async () => {
  const contract = modelOf('alternatives that overlap, and examples');
  await using service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
  expect((await service.anonymous.get('/c')).body).toEqual({
    a: 'the one that the schema would never guess by itself',
  });
});

test('what OpenAPI 3.2 adds and is not served is told, and nothing else', () => {
  const { findings } = compiled.get('what OpenAPI 3.2 adds')!;
  const told = findings.filter(({ rule }) => rule === 'openapi-version');
  expect(told.map(({ severity, message, location }) => `${severity} ${location.line} ${message}`)).toEqual([
    'warning 9 `query` is new in OpenAPI 3.2 and is ignored.',
    'warning 10 `additionalOperations` is new in OpenAPI 3.2 and is ignored.',
    'warning 14 `in: querystring` is new in OpenAPI 3.2 and is ignored.',
    'warning 15 `itemSchema` is new in OpenAPI 3.2 and is ignored.',
  ]);
});

describe('parameters of a path in the styles `label` and `matrix`', () => {
  const contract = () => modelOf('styles `label` and `matrix`');
  const expected = { one: 5, many: ['a', 'b'], pairs: { r: 7 } };

  test.each([
    ['labelfalse', '/label-false/.5/.a,b/.r,7'],
    ['labeltrue', '/label-true/.5/.a.b/.r=7'],
    ['matrixfalse', '/matrix-false/;one=5/;many=a,b/;pairs=r,7'],
    ['matrixtrue', '/matrix-true/;one=5/;many=a;many=b/;r=7'],
  ])('are decoded: %s %s', async (operationId, path) => {
    let seen: unknown;
    const handler = (inputs: unknown) => {
      seen = inputs;
    };
    const handlers = { operations: { [operationId]: handler } } as never;
    await using service = await serve({ contract: contract(), handlers, allowMissing: true });
    expect(await service.anonymous.get(path)).toMatchObject({ status: 200 });
    expect(seen).toEqual(expected);
  });

  test.each([
    ['/label-true/5/.a/.r=7', 'one', 'must begin with .'],
    ['/matrix-true/;two=5/;many=a/;r=7', 'one', 'must begin with ;one'],
    ['/matrix-true/;one=5/;many=a;few=b/;r=7', 'many', 'must begin with ;many'],
    ['/label-false/.x/.a/.r,7', 'one', 'must be an integer'],
  ])('are refused in another form: %s', async (path, parameter, detail) => {
    await using service = await serve({ contract: contract(), allowMissing: true });
    expect((await service.anonymous.get(path)).body).toMatchObject({ status: 400, errors: [{ parameter, detail }] });
  });
});

test('the client writes the parameters of a path in their styles', () => {
  const client = compiled.get('styles `label` and `matrix`')!.files!.get('sdk/index.js');
  expect(client).toContain('"/label-true/{.one*}/{.many*}/{.pairs*}"');
  expect(client).toContain('"/matrix-false/{;one}/{;many}/{;pairs}"');
});

test('of paths that differ by what follows a `#` those without it are served, and the others are warned of', async () => {
  const name = 'paths that differ by what follows a `#`';
  const operation = (operationId: string) => [
    operationId,
    (_: unknown, { reply }: { readonly reply: (answer: object) => unknown }) =>
      reply({ status: 200, headers: { by: operationId } }),
  ];
  const operations = Object.fromEntries(modelOf(name).operations.map(({ operationId }) => operation(operationId)));
  await using service = await serve({ contract: modelOf(name), handlers: { operations } as never });
  const by = async (method: string, path: string) => (await service.anonymous.request(method, path)).headers['by'];
  expect(await by('GET', '/files/1')).toBe('getFile');
  expect(await by('PUT', '/files/1')).toBe('linkFile');
  expect(await by('PUT', '/schema')).toBe('addSchema');
  const told = compiled.get(name)!.findings.filter(({ rule }) => rule === 'path-duplicate');
  expect(told.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: `/files/{id}` is the same path as `/files/{id}#link`: clients never send the part after `#`.',
    'warning: `/files/{file}` is the same path as `/files/{id}#link`: clients never send the part after `#`.',
    'warning: `/schema#update` is the same path as `/schema#add`: clients never send the part after `#`.',
  ]);
});

test('a body sent to an operation that takes none is 415, which every such operation declares', async () => {
  const contract = modelOf('operations that declare errors alone');
  expect(parse(JSON.stringify(contract.document)).paths['/pet'].post.responses).toHaveProperty('415');
  await using service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
  const { status, body } = await service.anonymous.post('/pet', { name: 'Leo' });
  expect({ status, body }).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
});

test('Swagger 2.0 is told apart, with a converter', async () => {
  const text = "swagger: '2.0'\ninfo: { title: Old, version: '1' }\npaths: {}\n";
  const { findings } = await withFolder({ 'openapi.yaml': text }, (path) => compileContract(path));
  expect(findings).toMatchObject([
    {
      message: expect.stringContaining('This is a Swagger 2.0 document'),
      hint: expect.stringContaining('npx swagger2openapi'),
      location: { file: 'openapi.yaml', line: 1, pointer: '/swagger' },
    },
  ]);
});

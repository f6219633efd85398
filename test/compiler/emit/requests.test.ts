import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { freePort } from '../../../src/tools/scratch/free-port.ts';
import { Command } from '../../support/command.ts';

interface HttpRequest {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** As the editors that send such files read them. */
function parseHttp(text: string): {
  readonly variables: Map<string, string>;
  readonly requests: readonly HttpRequest[];
} {
  const [start = '', ...blocks] = text.split(/^### /m);
  const variables = new Map([...start.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name!, value!]));
  const requests = blocks.map((block) => {
    const [first = '', ...lines] = block.split('\n');
    const own = lines.slice(lines.findIndex((line) => !line.startsWith('#')));
    const end = own.indexOf('');
    const [[method = '', target = '']] = [own[0]!.split(' ')];
    const headers = Object.fromEntries(own.slice(1, end).map((line) => line.split(': ') as [string, string]));
    const body = own
      .slice(end + 1)
      .join('\n')
      .trim();
    return {
      name: first.startsWith('GraphQL: ') ? first : first.split(':')[0]!,
      method,
      target,
      headers,
      body: body === '' ? undefined : body,
    };
  });
  return { variables, requests };
}

/** What says that a request itself is wrong, whatever there is. */
const MALFORMED = [400, 401, 403, 405, 406, 415];

describe('the requests of a contract', () => {
  let mock: Command;
  let base: string;
  let token: string;
  beforeAll(async () => {
    const port = await freePort();
    mock = new Command('scripts/mock.ts', ['--rows', '6'], { PORT: String(port), LOG_LEVEL: 'warn' });
    const output = await mock.output(/Ctrl-C/);
    token = [...output.matchAll(/^ {2}[A-Z]+=(\S+)$/gm)].at(-1)![1]!;
    base = `http://127.0.0.1:${port}/v1`;
  });
  afterAll(async () => void (await mock.stop()));

  // First, while nothing has been deleted.
  test('in postman.json are valid with any one parameter switched on', async () => {
    interface Parameter {
      readonly key: string;
      readonly value: string;
      readonly disabled?: boolean;
    }
    interface PostmanRequest {
      readonly method: string;
      readonly header: readonly Parameter[];
      readonly url: {
        readonly path?: readonly string[];
        readonly query?: readonly Parameter[];
        readonly variable?: readonly Parameter[];
      };
    }
    const collection = JSON.parse(await readFile('generated/postman.json', 'utf8')) as {
      readonly variable: readonly Parameter[];
      readonly item: readonly {
        readonly item: readonly { readonly name: string; readonly request: PostmanRequest }[];
      }[];
    };
    const values = new Map(collection.variable.map(({ key, value }) => [key, value]));
    const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name)!);
    const reads = collection.item.flatMap(({ item }) => item).filter(({ request }) => request.method === 'GET');
    for (const { name, request } of reads) {
      const { path = [], query = [], variable = [] } = request.url;
      const ids = new Map(variable.map(({ key, value }) => [`:${key}`, fill(value)]));
      const url = `${base}/${path.map((segment) => ids.get(segment) ?? segment).join('/')}`;
      const send = (search: string, headers: Record<string, string> = {}) =>
        fetch(url + search, { headers: { authorization: `Bearer ${token}`, ...headers } });
      const needed = query.filter(({ disabled }) => !disabled);
      const searchOf = (given: readonly Parameter[]) =>
        `?${new URLSearchParams(given.map(({ key, value }) => [key, fill(value)]))}`;
      // What the script of the collection keeps of a first page.
      const { page } = (await (await send('?limit=1')).json()) as { page?: { nextCursor: string | null } };
      for (const parameter of query.filter(({ disabled }) => disabled)) {
        if (/^\{\{\w+Cursor\}\}$/.test(parameter.value))
          values.set(parameter.value.slice(2, -2), page?.nextCursor ?? '');
        if (fill(parameter.value) === '') continue;
        const response = await send(searchOf([...needed, parameter]));
        expect(response.status, `${name}: ${parameter.key}: ${await response.text()}`).toBe(200);
      }
      for (const { key, value, disabled } of request.header) {
        if (!disabled) continue;
        const response = await send(searchOf(needed), { [key]: fill(value) });
        expect([200, 304], `${name}: ${key}`).toContain(response.status);
      }
    }
  });

  test('in requests.http are one for each operation, and each is well-formed', async () => {
    const { variables, requests } = parseHttp(await readFile('generated/requests.http', 'utf8'));
    const document = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
    const ids = Object.values(document.paths as Record<string, Record<string, { operationId?: string }>>)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId }) => operationId ?? []);
    const plain = requests.filter(({ name }) => !/^GraphQL: |, /.test(name));
    expect(plain.map(({ name }) => name).sort()).toEqual(ids.sort());
    const others = requests.filter((request) => !plain.includes(request)).map(({ name }) => name);
    expect(others).toEqual(
      expect.arrayContaining(['listProducts, filtered and sorted', 'listProducts, next page', 'GraphQL: createOrder']),
    );
    expect(variables.get('baseUrl')).toBe('http://127.0.0.1:3000/v1');

    // Everything else is sent as it is: the rows have the ids of the examples.
    const graphqlUrl = new URL('/graphql', base).href;
    const values = new Map([...variables, ['baseUrl', base], ['graphqlUrl', graphqlUrl], ['token', token]]);
    const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name)!);
    const isDeleting = ({ method, name }: HttpRequest) => Number(method === 'DELETE' || name.includes(' delete'));
    const ordered = requests.toSorted((a, b) => isDeleting(a) - isDeleting(b));
    for (const { name, method, target, headers, body } of ordered) {
      if (target.includes('{{cursor}}')) {
        const first = await fetch(fill(target.replace(/&?cursor=\{\{cursor\}\}/, '').replace('limit=2', 'limit=1')), {
          headers: { authorization: `Bearer ${token}` },
        });
        const { page } = (await first.json()) as { page: { nextCursor: string | null } };
        if (page.nextCursor === null) continue;
        values.set('cursor', page.nextCursor);
      }
      const filled = Object.entries(headers).map(([field, value]) => [field, fill(value)] as [string, string]);
      const response = await fetch(fill(target), { method, headers: filled, ...(body !== undefined && { body }) });
      const text = await response.text();
      expect(MALFORMED, `${name}: ${text}`).not.toContain(response.status);
      if (method === 'GET') expect(response.status, `${name}: ${text}`).toBe(200);
      if (name.startsWith('GraphQL: ')) {
        const codes = ((JSON.parse(text).errors ?? []) as { extensions: { status: number } }[]).map(
          ({ extensions }) => extensions.status,
        );
        for (const status of codes) expect(MALFORMED, `${name}: ${text}`).not.toContain(status);
      }
    }
  });

  test('in postman.json are the same, in folders by tag, with what need not be sent switched off', async () => {
    const { files } = await compileContract('contracts');
    const collection = JSON.parse(files!.get('postman.json')!);
    expect(collection.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
    const folders: { name: string; item: { name: string; request: Record<string, never> }[] }[] = collection.item;
    expect(folders.map(({ name }) => name)).toEqual(['Users', 'Products', 'Reviews', 'Orders', 'Items', 'GraphQL']);
    const requests = folders.flatMap(({ item }) => item);
    const written = parseHttp(files!.get('requests.http')!).requests.filter(({ name }) => !name.includes(', '));
    expect(requests).toHaveLength(written.length);
    const list = requests.find(({ name }) => name === 'List products')!.request as never as {
      auth: object;
      url: { raw: string; query: { key: string; disabled?: boolean }[] };
    };
    expect(list.auth).toEqual({ type: 'noauth' });
    expect(list.url.raw).toBe('{{baseUrl}}/products');
    expect(list.url.query.every(({ disabled }) => disabled)).toBe(true);
    const variables = collection.variable.map(({ key }: { key: string }) => key);
    for (const [, name] of files!.get('postman.json')!.matchAll(/\{\{(\w+)\}\}/g)) expect(variables).toContain(name);
  });

  test('have lists through other resources, and conditions that compare something', async () => {
    const { files } = await compileContract('test/fixtures/tracker');
    const { requests } = parseHttp(files!.get('requests.http')!);
    const targetOf = (name: string) => requests.find((request) => request.name === name)!.target;
    expect(targetOf('listLabelsOfIssue')).toBe('{{baseUrl}}/issues/{{issueId}}/labels');
    const filtered = new URL(targetOf('listLabelsOfIssue, filtered and sorted').replace('{{baseUrl}}', 'http://a'));
    expect(JSON.parse(filtered.searchParams.get('filter')!)).toEqual({
      projectId: '019bc0de-7c00-7000-8000-000000000001',
    });
    const projects = new URL(targetOf('listProjects, filtered and sorted').replace('{{baseUrl}}', 'http://a'));
    expect(JSON.parse(projects.searchParams.get('filter')!)).toEqual({ visibility: 'PUBLIC' });
    expect(files!.get('postman.json')).not.toMatch(/"key": "filter",\s*"value": "\{\}"/);
  });

  test.each(['test/fixtures/foreign/zoo', 'test/fixtures/foreign/rail', 'test/fixtures/valid/ordinary'])(
    'are made for the ordinary document %s, too',
    async (folder) => {
      const { files, model } = await compileContract(folder);
      expect(parseHttp(files!.get('requests.http')!).requests).toHaveLength(model!.operations.length);
      expect(() => JSON.parse(files!.get('postman.json')!)).not.toThrow();
    },
  );
});

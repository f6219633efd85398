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
    return { name: first.split(':')[0]!, method, target, headers, body: body === '' ? undefined : body };
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

  const anyId = async (path: string): Promise<string> => {
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${token}` } });
    const { data } = (await response.json()) as { data: { id: string }[] };
    return data[0]?.id ?? '';
  };
  const firstWith = async (path: string, sub: string): Promise<[id: string, sub: string]> => {
    const response = await fetch(`${base}${path}?limit=100`, { headers: { authorization: `Bearer ${token}` } });
    for (const { id } of ((await response.json()) as { data: { id: string }[] }).data) {
      const found = await anyId(`${path}/${id}${sub}`);
      if (found !== '') return [id, found];
    }
    throw new Error(`no ${path}${sub}`);
  };

  test('in requests.http are one for each operation, and each is well-formed', async () => {
    const { variables, requests } = parseHttp(await readFile('generated/requests.http', 'utf8'));
    const document = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
    const ids = Object.values(document.paths as Record<string, Record<string, { operationId?: string }>>)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId }) => operationId ?? []);
    expect(requests.map(({ name }) => name).sort()).toEqual(ids.sort());
    expect(variables.get('baseUrl')).toBe('http://127.0.0.1:3000/v1');

    const [productId, reviewId] = await firstWith('/products', '/reviews');
    const [orderId, itemId] = await firstWith('/orders', '/items');
    const values: Record<string, string> = {
      baseUrl: base,
      token,
      productId,
      reviewId,
      orderId,
      itemId,
      userId: await anyId('/users'),
    };
    expect(Object.keys(values).sort()).toEqual([...variables.keys()].sort());
    const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!);
    const ordered = requests.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
    for (const { name, method, target, headers, body } of ordered) {
      const filled = Object.entries(headers).map(([field, value]) => [field, fill(value)] as [string, string]);
      const response = await fetch(fill(target), { method, headers: filled, ...(body !== undefined && { body }) });
      const text = await response.text();
      expect(MALFORMED, `${name}: ${text}`).not.toContain(response.status);
      if (method === 'GET') expect(response.status, name).toBe(200);
    }
  });

  test('in postman.json are the same, in folders by tag, with what need not be sent switched off', async () => {
    const { files } = await compileContract('contracts');
    const collection = JSON.parse(files!.get('postman.json')!);
    expect(collection.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
    const folders: { name: string; item: { name: string; request: Record<string, never> }[] }[] = collection.item;
    expect(folders.map(({ name }) => name)).toEqual(['Users', 'Products', 'Reviews', 'Orders', 'Items']);
    const requests = folders.flatMap(({ item }) => item);
    expect(requests).toHaveLength(parseHttp(files!.get('requests.http')!).requests.length);
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

  test.each(['test/fixtures/foreign/zoo', 'test/fixtures/foreign/rail', 'test/fixtures/valid/ordinary'])(
    'are made for the ordinary document %s, too',
    async (folder) => {
      const { files, model } = await compileContract(folder);
      expect(parseHttp(files!.get('requests.http')!).requests).toHaveLength(model!.operations.length);
      expect(() => JSON.parse(files!.get('postman.json')!)).not.toThrow();
    },
  );
});

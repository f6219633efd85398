import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { databases } from '../../support/databases.ts';
import { property } from '../../support/descriptors.ts';
import { type Edit, editedContract } from '../../support/edited-contract.ts';
import { type Service, startCompiled } from '../../support/service.ts';

const OPENAPI = 'openapi.yaml';
const SDL = 'cats.graphql';
const FREE = `meta: { type: object }
        size: { type: number }
        details: { $ref: '#/components/schemas/Details' }`;
const DETAILS = '    Details: { type: object, properties: { weight: { type: number }, tags: { type: object } } }';
const EDITS: readonly Edit[] = [
  [OPENAPI, /( {8}bornOn: .*\n)/g, `$1        ${FREE}\n`],
  [OPENAPI, '    Cat:\n', `${DETAILS}\n    Cat:\n`],
  [SDL, /(type Cat \{[^}]*?bornOn: Date\n)/g, '$1  meta: JSON\n  size: Float\n  details: Details\n'],
  [
    SDL,
    /(input Cat(?:Input|Patch) \{[^}]*?bornOn: Date\n)/g,
    '$1  meta: JSON\n  size: Float\n  details: DetailsInput\n',
  ],
  [
    SDL,
    'scalar Date\n',
    'scalar JSON\ntype Details { weight: Float, tags: JSON }\ninput DetailsInput { weight: Float, tags: JSON }\nscalar Date\n',
  ],
];

/** Numbers that doubles do not change, with how JSON has them. */
const KEPT = [
  '0',
  '-1',
  '9007199254740991',
  '9007199254740992',
  '1e3',
  '0.1',
  '1E+2',
  '100000000000000000000',
  '1e308',
];
/** JSON as `JSON.stringify` writes it, in the order that databases have for names. */
const COMPACT = [
  '{}',
  '{"":""}',
  '{"a":": ","b":", "}',
  '{"a":[],"b":[[],{}]}',
  String.raw`{"a":"\"","b":"\\","c":" \n "}`,
  '{"n":[1e-7,0.000001,-1.5e-9,1e+21,12345678,-123456.5]}',
  '{"n":[true,false,null,[[[[[[[[[[1]]]]]]]]]]]}',
  '{"é":"  é  ","ключ":["а б",1]}',
];
const ROUNDED = [
  '750727362669608961',
  '-9007199254740993',
  '12345678901234567890',
  '1e400',
  '-1e400',
  '75072736266960896.1e1',
];
const FRACTIONS = ['0.12345678901234567890123', '9007199254740993.5', '1e-400'];

describe.each(databases)('numbers that a double would change, on $name,', (database) => {
  let contract: CompiledContract;
  let service: Service;
  let origin = '';
  beforeAll(async () => {
    contract = await editedContract('cats', EDITS);
    service = await startCompiled(contract, database);
    origin = `http://127.0.0.1:${await service.listen()}`;
  });
  afterAll(() => service.close());

  /** JSON goes as text, which `JSON.stringify` would round. */
  const send = async (method: string, path: string, body: string, headers: Record<string, string> = {}) => {
    const given = { 'content-type': 'application/json', ...headers };
    const response = await fetch(origin + path, { method, headers: given, body });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };
  const read = async (id: string): Promise<string> => (await fetch(`${origin}/v1/cats/${id}`)).text();
  const create = async (meta: string) =>
    send('POST', '/v1/cats', `{ "name": "Tom", "colour": "BLACK", "meta": ${meta} }`);

  it.each(COMPACT)('are none of those in %s, which is answered as it was sent', async (meta) => {
    const { body } = await create(meta);
    expect(await read(body.id)).toContain(`"meta":${meta}`);
  });

  it.each(KEPT)('do not include %s', async (number) => {
    const { status, body, text } = await create(`{ "n": ${number} }`);
    expect([status, body.meta.n]).toEqual([201, Number(number)]);
    expect(await read(body.id)).toBe(text);
  });

  it.each(FRACTIONS)('are, where they are fractions such as %s, the nearest double', async (number) => {
    const { status, text } = await create(`{ "n": ${number} }`);
    expect(status).toBe(201);
    expect(text).toContain(`"meta":{"n":${JSON.stringify(Number(number))}}`);
  });

  it.each(ROUNDED)('are refused in bodies with their place: %s', async (number) => {
    const detail = 'is a number that would be rounded: a string keeps its digits';
    const { body: cat } = await create('{}');
    const refusals = [
      await create(`{ "a": [{ "n": ${number} }] }`),
      await send(
        'PUT',
        `/v1/cats/${cat.id}`,
        `{ "name": "Tom", "colour": "BLACK", "meta": { "a": [{ "n": ${number} }] } }`,
      ),
      await send('PATCH', `/v1/cats/${cat.id}`, `{ "meta": { "a": [{ "n": ${number} }] } }`, {
        'content-type': 'application/merge-patch+json',
      }),
    ];
    for (const { status, body } of refusals)
      expect([status, body.code, body.errors]).toEqual([
        400,
        'VALIDATION_FAILED',
        [{ pointer: '/meta/a/0/n', detail }],
      ]);
    const { status, body } = await send('POST', '/v1/cats', `{ "name": "Tom", "colour": "BLACK", "size": ${number} }`);
    expect([status, body.errors]).toEqual([400, [{ pointer: '/size', detail }]]);
  });

  const MUTATION = 'mutation ($input: CatInput!) { createCat(input: $input) { id meta } }';
  const ask = (body: string, headers = {}) => send('POST', '/graphql', body, headers);
  const withVariables = (query: string, variables: string) =>
    `{ "query": ${JSON.stringify(query)}, "variables": ${variables} }`;

  it.each(ROUNDED)('are refused over GraphQL with their path: %s', async (number) => {
    const literal = `mutation { createCat(input: { name: "Tom", colour: BLACK, meta: { a: [{ n: ${number} }] } }) { id } }`;
    const fallback = `mutation ($m: JSON = { a: [{ n: ${number} }] }) { createCat(input: { name: "Tom", colour: BLACK, meta: $m }) { id } }`;
    const inside =
      'mutation ($n: JSON) { createCat(input: { name: "Tom", colour: BLACK, meta: { a: [{ n: $n }] } }) { id } }';
    const whole = `{ "input": { "name": "Tom", "colour": "BLACK", "meta": { "a": [{ "n": ${number} }] } } }`;
    const accept = { accept: 'text/event-stream' };
    const stream = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...accept },
      body: withVariables(MUTATION, whole),
    });
    const [, data] = /data: (.*)/.exec(await stream.text())!;
    const answers: Record<string, readonly [unknown, string]> = {
      literal: [(await ask(withVariables(literal, '{}'))).body, 'input.meta.a.0.n'],
      default: [(await ask(withVariables(fallback, '{}'))).body, '$m.a.0.n'],
      variable: [(await ask(withVariables(inside, `{ "n": ${number} }`))).body, 'input.meta.a.0.n'],
      input: [(await ask(withVariables(MUTATION, whole))).body, 'input.meta.a.0.n'],
      'an event stream': [JSON.parse(data!), 'input.meta.a.0.n'],
      'a socket': [await overSocket(MUTATION, whole), 'input.meta.a.0.n'],
    };
    const detail = 'is a number that would be rounded: a string keeps its digits';
    for (const [way, [answer, argument]] of Object.entries(answers))
      expect([way, answer]).toEqual([
        way,
        expect.objectContaining({
          errors: [
            expect.objectContaining({
              extensions: expect.objectContaining({
                code: 'VALIDATION_FAILED',
                status: 400,
                errors: [{ argument, detail }],
              }),
            }),
          ],
        }),
      ]);
    for (const [query, variables] of [
      [`mutation { createCat(input: { name: "Tom", colour: BLACK, size: ${number} }) { id } }`, '{}'],
      [
        'mutation ($s: Float) { createCat(input: { name: "Tom", colour: BLACK, size: $s }) { id } }',
        `{ "s": ${number} }`,
      ],
    ] as const) {
      const { body } = await ask(withVariables(query, variables));
      expect([query, body.data ?? null, body.errors[0].extensions.code]).toEqual([query, null, 'VALIDATION_FAILED']);
      expect(body.errors[0].message).not.toContain('rawJSON');
    }
  });

  /** A message as text, past what a client makes of it. */
  async function overSocket(query: string, variables: string): Promise<unknown> {
    const placeholder = '{"of":"the test"}';
    class RawSocket extends WebSocket {
      override send(data: string): void {
        super.send(data.replace(placeholder, variables));
      }
    }
    const client = createClient({
      url: `${origin.replace('http', 'ws')}/graphql`,
      webSocketImpl: RawSocket,
      retryAttempts: 0,
    });
    const result = await client.iterate({ query, variables: JSON.parse(placeholder) }).next();
    await client.dispose();
    return result.value;
  }

  it('are refused in the variables of a GET', async () => {
    const query =
      'query ($after: String, $m: JSON) { cats(after: $after) { nodes { id } } again: __typename @skip(if: false) }';
    const parameters = new URLSearchParams({
      query: query.replace(', $m: JSON', ''),
      variables: '{ "after": 750727362669608961 }',
    });
    const response = await fetch(`${origin}/graphql?${parameters}`);
    expect((await response.json()).errors[0].extensions.code).toBe('VALIDATION_FAILED');
  });

  it('are not made of variables inside literals, which each request reads', async () => {
    const inside =
      'mutation ($n: JSON) { createCat(input: { name: "Tom", colour: BLACK, meta: { a: [$n], n: $n } }) { meta } }';
    for (const n of ['1', '2.5', '"text"', '{"a":[1]}']) {
      const { body } = await ask(withVariables(inside, `{ "n": ${n} }`));
      expect(body.data.createCat.meta).toEqual({ a: [JSON.parse(n)], n: JSON.parse(n) });
    }
  });

  const STORED = ['750727362669608961', '3.14159265358979323846', '1e400', '-9007199254740993'];
  /** Writes a property of a row as SQL would. */
  const store = (id: string, name: string, json: string): Promise<void> =>
    service.store.transaction(async (transaction) => {
      const { properties } = contract.resources.find(({ key }) => key === 'cats')!;
      const row = (await transaction.get('cats', id))!;
      await transaction.update(
        'cats',
        row.with(
          properties.findIndex((one) => one.name === name),
          json,
        ),
        [name],
      );
    });

  it.each(STORED)('are answered as they are stored, and kept by who does not send them: %s', async (number) => {
    const { body: cat } = await create('{}');
    await store(cat.id, 'meta', `{"big":${number},"list":[{"n":${number}}]}`);
    await store(cat.id, 'details', `{"weight":2.5,"tags":{"n":${number}}}`);
    const shown = (await read(cat.id)).match(/"meta":.*(?=\})/)?.[0] ?? '';
    expect(exactly(shown)).toEqual([number, number, number].map(canonical));
    const merge = { 'content-type': 'application/merge-patch+json' };
    for (const patch of [
      '{"name":"Tim"}',
      '{"meta":{"other":1}}',
      '{"details":{"weight":3}}',
      '{"details":{"tags":{"m":1}}}',
    ]) {
      const { status, text } = await send('PATCH', `/v1/cats/${cat.id}`, patch, merge);
      expect([patch, status, exactly(text.match(/"meta":.*(?=\})/)![0])]).toEqual([
        patch,
        200,
        [number, number, number].map(canonical),
      ]);
    }
    const update = `mutation { updateCat(id: "${cat.id}", input: { meta: { more: { a: 1 } } }) { meta details { weight tags } } }`;
    const { text } = await ask(withVariables(update, '{}'));
    expect(exactly(text)).toEqual([number, number, number].map(canonical));
    const { text: listed } = await ask(
      withVariables('{ cats(first: 100) { nodes { id meta details { weight tags } } } }', '{}'),
    );
    expect(exactly(listed.slice(listed.indexOf(cat.id)).split('},{"id"')[0]!)).toEqual(
      [number, number, number].map(canonical),
    );
    await send('PATCH', `/v1/cats/${cat.id}`, '{"meta":{"big":1}}', merge);
    expect(exactly((await read(cat.id)).match(/"meta":.*(?=\})/)![0])).toEqual([number, number].map(canonical));
  });
});

describe('numbers that JSON does not have', () => {
  it.each([Number.POSITIVE_INFINITY, Number.NaN])('are refused in JSON that code writes: %s', (number) => {
    const codec = createRowCodec([{ ...property('meta'), type: 'json' }]);
    expect(() => codec.toRow({ meta: { list: [null, number] } })).toThrow(`${number} is not JSON (at /list/1).`);
    expect(codec.toRow({ meta: { list: [null] } })).toEqual(['{"list":[null]}']);
  });

  it.each(['750727362669608961', '1e400'])('and no double holds are no defaults: %s', async (number) => {
    const edits: readonly Edit[] = [
      ...EDITS,
      [OPENAPI, 'meta: { type: object }', `meta: { type: object, default: { n: [${number}] } }`],
    ];
    await expect(editedContract('cats', edits)).rejects.toThrow(/rounded to 750727362669609000|greater than any/);
  });
});

/** Numbers that need their text, in a form that all texts of one number share. */
const exactly = (json: string): readonly string[] =>
  (json.match(/(?<![\w"-])-?\d[\d.]*(?:e[+-]?\d+)?(?![\w"-])/gi) ?? []).filter((one) => one.length > 4).map(canonical);

function canonical(number: string): string {
  const [digits = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const power = Number(exponent) - fraction.length;
  const all = (whole + fraction).replace(/^(-?)0+(?=\d)/, '$1');
  const bare = all.replace(/0+$/, '');
  return `${bare}e${power + all.length - bare.length}`;
}

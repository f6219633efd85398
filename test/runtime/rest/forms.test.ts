import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Forms, version: '1' }
paths:
  /messages:
    post:
      operationId: sendMessage
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { $ref: '#/components/schemas/Message' }
            encoding:
              Filter: { style: deepObject }
              Tags: { explode: false }
              Flat: { style: form, explode: false }
      responses: { '204': { description: Sent. } }
  /hooks:
    post:
      operationId: hook
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object } } } }
      responses: { '204': { description: Taken. } }
components:
  schemas:
    Message:
      type: object
      required: [To]
      properties:
        To: { type: string, minLength: 2 }
        Retries: { type: integer, maximum: 5 }
        Smart: { type: boolean }
        MediaUrl: { type: array, items: { type: string, format: uri } }
        Tags: { type: array, items: { type: string } }
        Filter: { type: object, properties: { gte: { type: integer } } }
        Flat: { type: object, additionalProperties: { type: integer } }
        Variables: { type: object, additionalProperties: { type: integer } }
`;

let service: TestService;
let seen: { readonly contentType: unknown; readonly body: unknown } | undefined;

beforeAll(async () => {
  const { model } = await withFolder({ 'openapi.yaml': DOCUMENT }, modelContract);
  const handler = (request: { readonly contentType: unknown; readonly body: unknown }) => {
    seen = request;
    return { status: 204 };
  };
  const handlers = { routes: { sendMessage: handler, hook: handler } } as never;
  service = await serve({ contract: model!, handlers });
});
afterAll(() => service.close());

const send = (path: string, body: string) => {
  seen = undefined;
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
  return service.anonymous.request('POST', path, { body, headers });
};

describe('a form', () => {
  test('reaches its handler decoded, each field by its schema and its encoding', async () => {
    const text =
      'To=a+b%26c&Retries=3&Smart=true&MediaUrl=https%3A%2F%2Fa.example&MediaUrl=https://b.example&Tags=x,y&Filter[gte]=4&Variables=%7B%22n%22:1%7D';
    expect((await send('/messages', text)).status).toBe(204);
    expect(seen).toMatchObject({
      contentType: 'application/x-www-form-urlencoded',
      body: {
        To: 'a b&c',
        Retries: 3,
        Smart: true,
        MediaUrl: ['https://a.example', 'https://b.example'],
        Tags: ['x', 'y'],
        Filter: { gte: 4 },
        Variables: { n: 1 },
      },
    });
  });

  test.each([
    ['Retries=3', [{ pointer: '/To', detail: 'is required' }]],
    ['To=a', [{ pointer: '/To', detail: 'must have at least 2 characters' }]],
    ['To=ab&Retries=3.5', [{ pointer: '/Retries', detail: 'must be an integer' }]],
    ['To=ab&Retries=3&Retries=4', [{ pointer: '/Retries', detail: 'must be given once' }]],
    ['To=ab&Filter[gte]=x', [{ pointer: '/Filter/gte', detail: 'must be an integer' }]],
    ['To=ab&Other=1', [{ pointer: '/Other', detail: 'is not a known property' }]],
    ['', [{ pointer: '', detail: 'is required' }]],
  ])('%s is refused before its handler', async (text, errors) => {
    expect((await send('/messages', text)).body).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', errors });
    expect(seen).toBeUndefined();
  });

  test.each([
    ['many fields', '/hooks', Array.from({ length: 10_001 }, (_, i) => i).join('&')],
    ['many fields of one name', '/hooks', 'a&'.repeat(300_000)],
  ])('with %s is refused before it is read', async (_, path, text) => {
    expect((await send(path, text)).body).toMatchObject({ status: 413, code: 'CONTENT_TOO_LARGE' });
    expect(seen).toBeUndefined();
  });

  test.each([
    ['a list', `Tags=${'a,'.repeat(300_000)}`, '/Tags', 'must have at most 10000 items'],
    ['lists', 'Tags=a,b,c&'.repeat(5_000), '/Tags', 'must have at most 10000 items'],
    ['JSON', `Variables={"n":[${'1,'.repeat(300_000)}1]}`, '/Variables', /more than 10,000 values/],
    ['an object', `Flat=${'a,1,'.repeat(200_000)}a,1`, '/Flat', 'must have at most 10000 properties'],
  ])('with %s of too many values is refused', async (_, text, pointer, detail) => {
    const { status, errors } = (await send('/messages', `To=ab&${text}`)).body as {
      status: number;
      errors: { pointer: string; detail: string }[];
    };
    expect(status).toBe(400);
    expect(errors).toHaveLength(1);
    expect(errors[0]!.pointer).toBe(pointer);
    expect(errors[0]!.detail).toMatch(detail);
  });

  test('may have as many spaces as it likes', async () => {
    expect((await send('/messages', `To=${'+'.repeat(100_000)}`)).status).toBe(204);
    expect(seen!.body).toEqual({ To: ' '.repeat(100_000) });
  });

  test.each(['To=%zz', 'To=%ff'])('%s is malformed', async (text) => {
    expect((await send('/messages', text)).body).toMatchObject({ status: 400, code: 'MALFORMED_REQUEST' });
  });

  test('whose fields are not described is taken as text', async () => {
    expect((await send('/hooks', 'a=1&b=x&b=y&__proto__=z')).status).toBe(204);
    expect(Object.entries(seen!.body as object)).toEqual([
      ['a', '1'],
      ['b', ['x', 'y']],
      ['__proto__', 'z'],
    ]);
  });
});

import { expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { serve } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';

const binary = { schema: { type: 'string', format: 'binary' } };

test.each([
  ['*/*', {}, 'application/json', '{"a":1}', 'bytes'],
  ['*/*', binary, 'application/json', '{"a":', 'bytes'],
  ['*/*', binary, 'text/plain', 'a', 'bytes'],
  ['application/*', binary, 'application/problem+json', '1', 'bytes'],
  ['*/*', { schema: { type: 'object' } }, 'application/json', '{"a":1}', 'object'],
  ['text/*', { schema: { type: 'string' } }, 'text/csv', 'a', 'string'],
])(
  'a body under %s %j that is sent as %s is what the declared type says: %s',
  async (type, media, sent, body, kind) => {
    const post = {
      operationId: 'take',
      requestBody: { content: { [type]: media } },
      responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } } },
    };
    const document = { openapi: '3.1.0', info: { title: 'Ranges', version: '1' }, paths: { '/take': { post } } };
    const { model } = await withFolder({ 'openapi.yaml': JSON.stringify(document) }, modelContract);
    const take = (request: { readonly body: unknown }) => ({
      status: 200,
      body: Buffer.isBuffer(request.body) ? 'bytes' : typeof request.body,
    });
    await using service = await serve({ contract: model!, handlers: { routes: { take } } as never });
    const answer = await service.anonymous.request('POST', '/take', { body, headers: { 'content-type': sent } });
    expect([answer.status, answer.body]).toEqual([200, kind]);
  },
);

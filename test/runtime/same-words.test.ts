import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { databases } from '../support/databases.ts';
import { withFolder } from '../support/folder.ts';
import { type Service, startCompiled } from '../support/service.ts';

const OPENAPI = `openapi: 3.1.0
info: { title: Tally, version: 1.0.0 }
servers: [{ url: /v1 }]
security: []
paths:
  /tallies:
    post:
      operationId: tally
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [count], properties: { count: { type: integer } } }
      responses:
        '204': { description: Counted. }
`;

const SDL = `
scalar SafeInt
type Query { total: SafeInt! @parity(rest: ABSENT, because: "The start page asks for it.") }
type Mutation { tally(count: SafeInt!): Boolean! @operation(id: "tally") }
`;

describe('both protocols say in the same words', () => {
  let service: Service;

  beforeAll(async () => {
    const { model } = await withFolder({ 'openapi.yaml': OPENAPI, 'schema.graphql': SDL }, modelContract);
    service = await startCompiled(model!, databases[0]!, {}, { allowMissing: true });
  });
  afterAll(() => service.close());

  it('that no handler answers', async () => {
    const { status, body } = await service.request('POST', '/v1/tallies', { body: { count: 1 } });
    expect([status, body.code]).toEqual([501, 'NOT_IMPLEMENTED']);
    for (const query of ['mutation { tally(count: 1) }', '{ total }']) {
      const { errors } = await service.graphql(query);
      expect(errors).toMatchObject([{ message: body.detail, extensions: { code: body.code, status } }]);
    }
  });

  it.each(['9007199254740992', '9007199254740993', '-9007199254740993', '99999999999999999999'])(
    'that %s is beyond what JSON keeps',
    async (count) => {
      const headers = { 'content-type': 'application/json' };
      const { status, body } = await service.request('POST', '/v1/tallies', { headers, body: `{"count":${count}}` });
      const [{ detail }] = body.errors;
      expect([status, detail]).toEqual([400, expect.stringMatching(/^must be at (?:most|least) -?9007199254740991$/)]);
      const literal = await service.graphql(`mutation { tally(count: ${count}) }`);
      const variable = await service.graphql('mutation ($count: SafeInt!) { tally(count: $count) }', {
        variables: { count: Number(count) },
      });
      for (const { errors } of [literal, variable])
        expect(errors).toMatchObject([{ extensions: { code: body.code, status } }]);
      expect(literal.errors![0]!.message).toBe(`SafeInt ${detail}.`);
    },
  );
});

import { expect, test } from 'vitest';
import type { ServedHandlers } from '../../src/index.ts';
import { serve } from '../../src/proving/testing/serve.ts';
import { withFolder } from '../support/folder.ts';

/** Operations and fields that are called as members which every object inherits. */
const CONTRACT = {
  'openapi.yaml': `openapi: 3.1.0
info: { title: Names, version: '1' }
paths:
  /a:
    get: { operationId: toString, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Value' } } } } } }
  /b:
    get: { operationId: hasOwnProperty, x-parity: { graphql: absent, because: Names alone. }, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/valueOf' } } } } } }
components:
  schemas:
    Value: { type: object, required: [name], properties: { name: { type: string } } }
    valueOf: { type: object, required: [name], properties: { name: { type: string } } }
    __proto__: { type: string }
`,
  'schema.graphql': `type Query {
  toString: Value! @operation(id: "toString")
  valueOf: String @parity(rest: ABSENT, because: "Names alone.")
}
type Value {
  name: String!
  isPrototypeOf(a: String): String @parity(rest: ABSENT, because: "Names alone.")
}
`,
};

const served = (handlers: ServedHandlers) => withFolder(CONTRACT, (contracts) => serve({ contracts, handlers }));

const operations = { toString: async () => ({ name: 'a' }), hasOwnProperty: async () => ({ name: 'b' }) };
const fields = { Query: { valueOf: () => 'c' }, Value: { isPrototypeOf: () => 'd' } };

test('code of names that every object inherits is called', async () => {
  await using service = await served({ operations, fields });
  expect((await service.anonymous.get('/a')).body).toEqual({ name: 'a' });
  expect((await service.anonymous.get('/b')).body).toEqual({ name: 'b' });
  const { data } = await service.anonymous.graphql('{ toString { name isPrototypeOf } valueOf }');
  expect(data).toEqual({ toString: { name: 'a', isPrototypeOf: 'd' }, valueOf: 'c' });
});

test.each([
  [{ fields }, 'No handler for toString, hasOwnProperty (handlers.operations)'],
  [{ operations, fields: { ...fields, Value: {} } }, 'Value.isPrototypeOf needs a handler'],
  [{ operations, fields: { ...fields, Query: {} } }, 'Query.valueOf needs a handler'],
])('it is missing where a project has none (%#)', async (handlers, message) => {
  await expect(served(handlers)).rejects.toThrow(message);
});

import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { withFolder } from '../../../support/folder.ts';

const openapi = (variants: readonly string[]): string => `openapi: 3.1.0
info: { title: Parcels, version: 1.0.0 }
paths:
  /parcels:
    post:
      operationId: sendParcel
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
      responses: { '204': { description: Sent. } }
components:
  schemas:
    Parcel:
      oneOf: [${variants.map((name) => `{ $ref: '#/components/schemas/${name}' }`).join(', ')}]
      discriminator: { propertyName: kind }
${variants
  .map(
    (name, i) =>
      `    ${name}: { type: object, required: [kind, size], properties: { kind: { const: KIND_${i} }, size: { type: number } } }`,
  )
  .join('\n')}
`;

const SDL = `
type Query { nothing: Boolean }
type Mutation { sendParcel(input: ParcelInput!): Boolean! @operation(id: "sendParcel") }
input ParcelInput @oneOf { kind0: BoxInput kind1: TubeInput }
input BoxInput { size: Float! }
input TubeInput { size: Float! }
`;

describe('the variants of what callers send', () => {
  it.each([
    ['are input types', ['Box', 'Tube']],
    ['keep their names where these are an input’s already', ['BoxInput', 'TubeInput']],
  ])('%s', (_, variants) =>
    withFolder({ 'openapi.yaml': openapi(variants), 'schema.graphql': SDL }, async (folder) => {
      const { findings } = buildModel(await readContract(folder));
      const union = findings.filter(({ message }) => /kind\d|InputInput/.test(message));
      expect(union.map(({ message }) => message)).toEqual([]);
    }),
  );
});

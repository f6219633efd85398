import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import type { Modelled } from '../../../../src/compiler/model/model.ts';
import { parseContract } from '../../../support/single-file-contract.ts';

const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
const time = { type: 'string', format: 'date-time' };
const managed = { id: uuid, version: { type: 'integer' }, createdAt: time, updatedAt: time };

/** A document whose `GET /things/{thingId}` answers a `Thing` of these properties. */
function thing(properties: object, schemas: object = {}): Modelled {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  return buildModel(
    parseContract(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Things', version: '1' },
        paths: {
          '/things/{thingId}': {
            parameters: [{ name: 'thingId', in: 'path', required: true, schema: uuid }],
            get: { operationId: 'getThing', responses: { 200: { description: 'A thing', content } } },
          },
        },
        components: {
          schemas: { Thing: { type: 'object', required: Object.keys(properties), properties }, ...schemas },
        },
      }),
    ),
  );
}

function severities({ findings }: Modelled): readonly string[] {
  return findings.filter(({ rule }) => rule === 'resource-managed').map(({ severity }) => severity);
}

describe('what GET /things/{thingId} answers', () => {
  it('is a resource with all managed properties', () => {
    expect(thing(managed).model?.resources.map(({ key }) => key)).toEqual(['things']);
  });

  it('is left alone with an id and nothing more', () => {
    const modelled = thing({ id: text, name: text });
    expect(modelled.findings).toEqual([]);
    expect(modelled.model?.operations[0]).not.toHaveProperty('default');
  });

  it('gets a warning when it has the times that any API has', () => {
    const modelled = thing({ id: text, createdAt: time, updatedAt: time });
    expect(severities(modelled)).toEqual(['warning']);
    expect(modelled.model?.resources).toEqual([]);
  });

  it.each([
    ['a version as well', { id: uuid, version: { type: 'integer' }, createdAt: time }, {}],
    ['an extension', { id: uuid, name: { type: 'string', 'x-unique': true } }, {}],
    [
      'an input and a page named after it',
      { id: uuid, createdAt: time, updatedAt: time },
      { ThingInput: { type: 'object' }, ThingPage: { type: 'object' } },
    ],
  ])('is an error when it must be meant as a resource: %s', (_, properties, schemas) => {
    expect(severities(thing(properties, schemas))).toEqual(['error']);
  });
});

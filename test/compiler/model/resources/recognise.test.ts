import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import type { Modelled } from '../../../../src/compiler/model/model.ts';
import { parseContract } from '../../../support/single-file-contract.ts';

const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
const time = { type: 'string', format: 'date-time' };
const managed = { id: uuid, version: { type: 'integer' }, createdAt: time, updatedAt: time };

const PAGE = { type: 'object', properties: { data: { type: 'array', items: {} }, page: { type: 'object' } } };

/** A document whose `GET /things/{thingId}` answers a `Thing` of these properties, and `GET /things` what `list` says. */
function thing(properties: object, list?: object, schemas: object = {}): Modelled {
  const listed = { description: 'Things', content: { 'application/json': { schema: list } } };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  return buildModel(
    parseContract(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Things', version: '1' },
        paths: {
          ...(list && { '/things': { get: { operationId: 'listThings', responses: { 200: listed } } } }),
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
  it.each([
    ['an extension of the conventions', { ...managed, name: { type: 'string', 'x-unique': true } }, undefined],
    ['a list of `data` and `page`', managed, { $ref: '#/components/schemas/ThingPage' }],
  ])('is a resource with all managed properties, and %s', (_, properties, list) => {
    const { findings } = thing(properties, list, { ThingPage: PAGE });
    expect(findings.filter(({ message }) => message.includes('could be a resource'))).toEqual([]);
  });

  it.each([
    ['alone', undefined, {}],
    ['and an input', undefined, { ThingInput: { type: 'object', properties: { name: text } } }],
    ['and a list of `data` and a token', { type: 'object', properties: { data: {}, nextPageToken: text } }, {}],
  ])('is served as it is with all managed properties %s', (_, list, schemas) => {
    const { model, findings } = thing(managed, list, schemas);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(model!.resources).toEqual([]);
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
    ['an extension', { id: uuid, name: { type: 'string', 'x-unique': true } }, undefined],
    ['a list of `data` and `page`', { id: uuid, version: { type: 'integer' }, createdAt: time }, PAGE],
  ])('is an error when it must be meant as a resource: %s', (_, properties, list) => {
    expect(severities(thing(properties, list))).toEqual(['error']);
  });

  it('gets a warning when its list is of another shape, whatever else it has', () => {
    const near = { id: uuid, version: { type: 'integer' }, createdAt: time };
    expect(severities(thing(near, { type: 'array', items: {} }, { ThingInput: PAGE, ThingPage: PAGE }))).toEqual([
      'warning',
    ]);
  });

  describe('beside an extension with a value of another tool', () => {
    const ownedBy = (owner: object) =>
      thing({ ...managed, ownerId: uuid }, undefined, {
        Team: { type: 'object', properties: { name: text }, ...owner },
      });

    it('is served as it is, and the extension is ignored with a warning', () => {
      const { model, findings } = ownedBy({ 'x-owner': 'team-shop', 'x-parity': 3 });
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(findings.filter(({ rule }) => rule === 'extension-value').map(({ message }) => message)).toEqual([
        '`x-owner` has an invalid value: must be object.',
        '`x-parity` has an invalid value: must be object.',
      ]);
      expect(model!.resources).toEqual([]);
    });

    it.each([
      ['x-owner', 'team-shop'],
      ['x-owner', { propertty: 'ownerId' }],
      ['x-access', { reads: [{ scope: 'a' }] }],
    ])('is an error when it could be a resource: %s: %j', (name, value) => {
      const Thing = { type: 'object', required: Object.keys(managed), properties: managed, [name]: value };
      const { model, findings } = thing(managed, undefined, { Thing });
      expect(model).toBeUndefined();
      expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
        'extension-value',
      ]);
    });
  });
});

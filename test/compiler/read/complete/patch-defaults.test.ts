import { describe, expect, it } from 'vitest';
import { collectOperations } from '../../../../src/compiler/model/operations.ts';
import { patchDefaults, removePatchDefaults } from '../../../../src/compiler/read/complete/patch-defaults.ts';
import type { OpenApiDocument, Schema } from '../../../../src/descriptor/document.ts';
import { contractOf } from '../../../support/service.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** One resource whose input and patch have these properties. */
function documentOf(properties: Record<string, Schema>, schemas: Record<string, Schema>): OpenApiDocument {
  const body = (type: string, name: string) => ({ required: true, content: { [type]: { schema: ref(name) } } });
  const responses = { 200: { description: 'OK' } };
  return {
    openapi: '3.1.0',
    info: { title: 'Lamps', version: '1.0.0' },
    paths: {
      '/lamps': {
        post: { operationId: 'createLamp', requestBody: body('application/json', 'LampInput'), responses },
      },
      '/lamps/{lampId}': {
        patch: {
          operationId: 'updateLamp',
          requestBody: body('application/merge-patch+json', 'LampPatch'),
          responses,
        },
      },
    },
    components: {
      schemas: { LampInput: { type: 'object', properties }, LampPatch: { type: 'object', properties }, ...schemas },
    },
  };
}

const collected = (document: OpenApiDocument) => ({ document, operations: collectOperations(document) });

function withoutPatchDefaults(document: OpenApiDocument): OpenApiDocument {
  const copy = collected(JSON.parse(JSON.stringify(document)));
  removePatchDefaults(copy);
  expect(patchDefaults(copy)).toEqual([]);
  return copy.document;
}

describe('defaults of merge patches', () => {
  it('stay in the input when patches share the schema', () => {
    const document = documentOf({ watts: ref('Watts') }, { Watts: { type: 'integer', default: 40 } });
    const { schemas } = withoutPatchDefaults(document).components!;
    expect(schemas).toMatchObject({ Watts: { type: 'integer' }, LampPatch: { properties: { watts: ref('Watts') } } });
    expect(schemas!['LampInput']).toMatchObject({ properties: { watts: { ...ref('Watts'), default: 40 } } });
  });

  it('move through all references of a shared schema', () => {
    const document = documentOf(
      { watts: { allOf: [ref('Usual')], description: 'At most.' }, spare: { type: 'array', items: ref('Usual') } },
      { Usual: ref('Watts'), Watts: { type: 'integer', default: 40 } },
    );
    const { schemas } = withoutPatchDefaults(document).components!;
    expect(schemas!['LampInput']).toMatchObject({
      properties: { watts: { allOf: [{ ...ref('Usual'), default: 40 }] }, spare: { items: ref('Usual') } },
    });
    expect(schemas).toMatchObject({ Usual: ref('Watts'), Watts: { type: 'integer' } });
  });

  it('give a patch a copy of an object that it shares, and of what that refers to', () => {
    const Bulb = {
      oneOf: [ref('Led'), ref('Neon')],
      discriminator: { propertyName: 'kind' },
    };
    const branch = (kind: string) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { const: kind }, hours: { type: 'integer', default: 1 } },
    });
    const document = documentOf({ bulb: ref('Bulb') }, { Bulb, Led: branch('Led'), Neon: branch('Neon') });
    const { schemas } = withoutPatchDefaults(document).components!;
    expect(schemas).toMatchObject({ Bulb, Led: branch('Led'), LampInput: { properties: { bulb: ref('Bulb') } } });
    expect(schemas!['LampPatch']).toMatchObject({ properties: { bulb: ref('BulbPatch') } });
    expect(schemas!['BulbPatch']).toEqual({
      oneOf: [ref('LedPatch'), ref('NeonPatch')],
      discriminator: { propertyName: 'kind', mapping: { Led: ref('LedPatch').$ref, Neon: ref('NeonPatch').$ref } },
    });
  });

  it('go where only patches have them, and leave alone what is no default', () => {
    const document = documentOf({ default: { type: 'string' } }, {});
    expect(withoutPatchDefaults(document)).toEqual(document);
    const own: Schema = { type: 'object', properties: { default: { type: 'string', default: 'x' } } };
    const { schemas } = withoutPatchDefaults(documentOf({}, { LampPatch: own })).components!;
    expect(schemas!['LampPatch']).toEqual({ type: 'object', properties: { default: { type: 'string' } } });
  });

  it('are in no document that the shipped contract publishes', async () => {
    const { document, versions } = await contractOf('contracts');
    for (const one of [document, ...Object.values(versions ?? {}).map(({ document }) => document)])
      expect(patchDefaults(collected(one))).toEqual([]);
  });
});

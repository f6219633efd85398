import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../src/descriptor/document.ts';
import { pointerTokens, valueAt } from '../../../src/descriptor/json-pointer.ts';
import { glueDocument } from '../../../src/runtime/rest/glue-document.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const documentOf = (schemas: object, more: object = {}): OpenApiDocument => ({
  openapi: '3.1.0',
  info: { title: 'Glue', version: '1' },
  paths: {
    '/a': {
      get: { operationId: 'a', responses: { 200: { $ref: '#/components/responses/Ok' } } },
    },
  },
  components: {
    schemas: schemas as never,
    responses: { Ok: { description: 'ok', content: { 'application/json': { schema: ref('S0') } } } },
  },
  ...more,
});

/** How many nodes there are with all references followed, up to a limit. */
function expanded(document: OpenApiDocument, limit: number): number {
  let count = 0;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || count > limit) return;
    count += 1;
    const { $ref } = value as { readonly $ref?: unknown };
    if (typeof $ref === 'string') visit(valueAt(document, pointerTokens($ref.slice(1))));
    for (const member of Object.values(value)) visit(member);
  };
  visit(document.paths);
  return count;
}

describe('the document that glue gets', () => {
  it('comes to an end, however many schemas refer to each other', () => {
    const names = Array.from({ length: 30 }, (_, index) => `S${index}`);
    const all = () => ({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, ref(name)])) });
    const document = documentOf(Object.fromEntries(names.map((name) => [name, all()])));
    expect(expanded(document, 1_000)).toBeGreaterThan(1_000);
    expect(expanded(glueDocument(document), 10_000)).toBeLessThan(10_000);
  });

  it('cuts a reference to a large schema that leads back to it', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`p${index}`, { type: 'string' }]));
    const document = documentOf({
      S0: { type: 'object', properties: { large: ref('Large') } },
      Large: { type: 'object', properties: { back: ref('S0'), ...many } },
    });
    delete (document.components as { responses?: unknown }).responses;
    const { schemas } = glueDocument({ ...document, paths: {} }).components!;
    expect(schemas!['S0']).toEqual({ type: 'object', properties: { large: {} } });
    expect(schemas!['Large']).toMatchObject({ properties: { back: ref('S0') } });
  });

  it('keeps references that lead to no circle, and those of responses always', () => {
    const document = documentOf({ S0: { type: 'object', properties: { one: ref('S1') } }, S1: { type: 'string' } });
    expect(glueDocument(document)).toEqual(document);
  });

  it('has no member that glue would take for a reference or an anchor', () => {
    const document = documentOf(
      { S0: { type: 'object', properties: { $id: { type: 'string' } }, examples: [{ $ref: 'no.yaml' }] } },
      { 'x-more': { $ref: '#/no/where' } },
    );
    const { components, ...rest } = glueDocument(document);
    expect(components!.schemas!['S0']).toEqual({ type: 'object', properties: {}, examples: [{}] });
    expect(rest['x-more']).toEqual({});
  });
});

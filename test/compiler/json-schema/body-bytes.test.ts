import { describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { maxBodyBytes } from '../../../src/compiler/json-schema/body-limits.ts';
import type { ContentKind } from '../../../src/descriptor/content.ts';
import type { OpenApiDocument, Schema } from '../../../src/descriptor/document.ts';
import { withFolder } from '../../support/folder.ts';

const file = (maxLength?: number): Schema => ({
  type: 'string',
  format: 'binary',
  ...(maxLength !== undefined && { maxLength }),
});
const text = (maxLength: number): Schema => ({ type: 'string', maxLength });
const form = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const document = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {},
  components: { schemas: { Photo: file(5_000), Upload: form({ photo: ref('Photo') }) } },
} as OpenApiDocument;

const HEAD = 1_024;

describe('the most bytes of a body', () => {
  test.each<[name: string, kind: ContentKind, schema: Schema, bytes: number | undefined]>([
    ['binary', 'binary', file(7), 7],
    ['binary that is always empty', 'binary', file(0), 0],
    ['binary without a length', 'binary', file(), undefined],
    ['binary without a schema', 'binary', true, undefined],
    ['binary by reference', 'binary', ref('Photo'), 5_000],
    ['binary of several lengths', 'binary', { allOf: [ref('Photo')], maxLength: 6_000 }, 5_000],
    ['binary or null', 'binary', { anyOf: [ref('Photo'), { type: 'null' }] }, 5_000],
    ['text, whose length is one of characters', 'text', text(7), undefined],
    ['JSON', 'json', text(7), undefined],
    ['a form', 'form', form({ a: text(7) }), undefined],
    ['parts', 'multipart', form({ a: file(7), b: file(10) }), 17 + 3 * HEAD],
    ['parts by reference', 'multipart', ref('Upload'), 5_000 + 2 * HEAD],
    ['a part of text', 'multipart', form({ a: text(7) }), 28 + 2 * HEAD],
    ['a part without a length', 'multipart', form({ a: file(7), b: { type: 'integer' } }), undefined],
    [
      'a part for each item',
      'multipart',
      form({ a: { type: 'array', maxItems: 3, items: ref('Photo') } }),
      15_000 + 4 * HEAD,
    ],
    ['any number of parts', 'multipart', form({ a: { type: 'array', items: ref('Photo') } }), undefined],
    ['parts that are not declared', 'multipart', { type: 'object' }, undefined],
    [
      'parts in several schemas',
      'multipart',
      { allOf: [form({ a: file(7) })], properties: { b: file(1) } },
      8 + 3 * HEAD,
    ],
  ])('%s', (_, kind, schema, bytes) => {
    expect(maxBodyBytes(document, kind, schema)).toBe(bytes);
  });
});

test('a larger body of a document that does not follow the conventions is a warning, and has no limit of its own', async () => {
  const film = { 'video/mp4': { schema: file(67_108_865) }, 'image/png': { schema: file(67_108_864) } };
  const post = { operationId: 'addFilm', requestBody: { content: film }, responses: { 204: { description: 'Added' } } };
  const files = { 'openapi.yaml': JSON.stringify({ ...document, components: {}, paths: { '/films': { post } } }) };
  const { model, findings } = await withFolder(files, modelContract);
  expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['body-bytes', 'warning']]);
  const { content = {} } = model!.rest.operations[0]!.requestBody!;
  expect(Object.entries(content).map(([type, { maxBytes }]) => [type, maxBytes])).toEqual([
    ['video/mp4', undefined],
    ['image/png', 67_108_864],
  ]);
});

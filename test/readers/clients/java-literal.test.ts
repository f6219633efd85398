import { expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/descriptor/document.ts';
import { JavaLiterals } from '../../../src/readers/clients/java/java-literal.ts';

const schema = { type: 'object', properties: { name: { type: 'string' } } };
const document = {
  components: { schemas: { Pump: schema, System: schema, Example: schema } },
} as unknown as OpenApiDocument;
const written = (name: string) =>
  new JavaLiterals(document, 'com.acme').of({ $ref: `#/components/schemas/${name}` }, { name: 'a' });

test('values have the class of their schema, unless a program calls something else so', () => {
  expect(written('Pump')).toBe('new Pump()\n    .name("a")');
  expect([written('System'), written('Example')]).toEqual([undefined, undefined]);
});

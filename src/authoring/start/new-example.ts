import { randomInt, randomUUID } from 'node:crypto';
import { exampleOf } from '../../compiler/json-schema/index.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { SchemaRegistry } from '../../runtime/schema/index.ts';

const VARIED_CHARACTERS = 4;

/**
 * What a resource can be created from, time and again: its examples, with unique texts varied.
 * Undefined when they do not make up a valid whole.
 */
export function newExample(
  document: OpenApiDocument,
  schemas: SchemaRegistry,
  resource: ResourceDescriptor,
): object | undefined {
  const schema = { $ref: `#/components/schemas/${resource.schemas.input}` };
  const example = exampleOf(document, schema) as Record<string, unknown> | undefined;
  const isValid = schemas.input(schema);
  const candidates = example ? [{ ...example, ...variations(example, resource) }, example] : [];
  return candidates.find((candidate) => isValid(candidate) === undefined);
}

function variations(example: Readonly<Record<string, unknown>>, { unique, properties }: ResourceDescriptor): object {
  const keys = ['id', ...unique.flat()];
  const texts = properties.filter(({ name }) => keys.includes(name) && typeof example[name] === 'string');
  return Object.fromEntries(texts.map(({ name, type }) => [name, vary(example[name] as string, type)]));
}

/** Another text of the same shape: its last letters and digits, before an `@` if there is one, are drawn anew. */
function vary(text: string, type: string): string {
  if (type === 'uuid') return randomUUID();
  const [local = '', ...domain] = text.split('@');
  const at = Math.max(0, local.length - VARIED_CHARACTERS);
  return [local.slice(0, at) + local.slice(at).replaceAll(/[a-z\d]/gi, draw), ...domain].join('@');
}

function draw(character: string): string {
  if (/\d/.test(character)) return String(randomInt(10));
  const drawn = String.fromCharCode('a'.charCodeAt(0) + randomInt(26));
  return character === character.toLowerCase() ? drawn : drawn.toUpperCase();
}

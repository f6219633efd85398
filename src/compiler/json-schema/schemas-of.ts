import type { OpenApiDocument } from '../../descriptor/document.ts';
import { isSchemaObject } from './flat-schema.ts';

const SCHEMA_KEYWORDS = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMA_MAPS = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']);

/** Whether a keyword's value is a schema. */
export const isSchemaKeyword = (keyword: string): boolean => SCHEMA_KEYWORDS.has(keyword);

/** Whether a keyword's value is a list of schemas. */
export const isSchemaList = (keyword: string): boolean => SCHEMA_LISTS.has(keyword);

/** Whether a keyword's value has schemas by name. */
export const isSchemaMap = (keyword: string): boolean => SCHEMA_MAPS.has(keyword);

/** Keys of OpenAPI objects whose values are data, never structure. */
const DATA_KEYS = new Set(['example', 'examples']);

/** Every schema object of a document, once: those in components, parameters, headers and bodies, and those inside them. */
export function schemasOf(document: OpenApiDocument): readonly object[] {
  const found = new Set<object>();
  for (const schema of Object.values(document.components?.schemas ?? {})) addSchema(found, schema);
  const { schemas: _, ...components } = document.components ?? {};
  searchStructure(found, document.paths);
  searchStructure(found, components);
  searchStructure(found, document['webhooks']);
  return [...found];
}

/** A schema object and every schema inside it, once; references are not followed. */
export function schemasBelow(schema: unknown): readonly object[] {
  const found = new Set<object>();
  addSchema(found, schema);
  return [...found];
}

/** Outside of schemas, OpenAPI puts a schema only under the key `schema`. */
function searchStructure(found: Set<object>, node: unknown, seen = new Set<unknown>()): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  for (const [key, child] of Object.entries(node)) {
    if (DATA_KEYS.has(key) || key.startsWith('x-')) continue;
    if (key === 'schema' && isSchemaObject(child)) addSchema(found, child);
    else searchStructure(found, child, seen);
  }
}

function addSchema(found: Set<object>, schema: unknown): void {
  if (!isSchemaObject(schema) || found.has(schema)) return;
  found.add(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    if (SCHEMA_KEYWORDS.has(keyword)) addSchema(found, value);
    else if (SCHEMA_LISTS.has(keyword) || SCHEMA_MAPS.has(keyword)) {
      for (const child of Object.values(isSchemaObject(value) || Array.isArray(value) ? value : {})) {
        addSchema(found, child);
      }
    }
  }
}

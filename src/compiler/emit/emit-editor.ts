import { EXTENSIONS, type ExtensionPlace } from '../model/extensions/extensions.ts';
import { GRAMMAR, type Kind, type Shape } from '../read/grammar.ts';
import { ACCESS_SCHEMA } from './access-schema.ts';
import { PLAIN_MEMBERS, type PlainKind } from './editor-members.ts';
import type { OutputFiles } from './folder/output-folder.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The files that a contract may be split into, by the object that each holds. */
const PARTS: Readonly<Record<string, Kind>> = {
  'path-item': 'pathItem',
  parameter: 'parameter',
  response: 'response',
  schema: 'schema',
};

/** Where the extensions of an object are declared; a schema is a property, or an object with properties. */
const PLACES: Partial<Readonly<Record<PlainKind, readonly ExtensionPlace[]>>> = {
  document: ['document'],
  info: ['info'],
  operation: ['operation'],
  parameter: ['parameter'],
  response: ['response'],
  schema: ['property', 'schema'],
};

/**
 * `editor/`: JSON Schemas of OpenAPI with our extensions, by which any YAML language server completes and checks a
 * contract. `openapi.json` describes the whole document, `access.json` the tests of `access.yaml`, the others a file
 * that holds one of the document's objects.
 */
export function emitEditor(): OutputFiles {
  const kinds = [...Object.keys(GRAMMAR), 'info'] as PlainKind[];
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A contract of Lockstep: OpenAPI 3.1 with extensions',
    $ref: '#/$defs/document',
    $defs: Object.fromEntries(kinds.map((kind) => [kind, objectOf(kind)])),
  };
  const parts = Object.entries(PARTS).map(([name, kind]) => [name, { $ref: `openapi.json#/$defs/${kind}` }] as const);
  return new Map(
    [['openapi', document] as const, ...parts, ['access', ACCESS_SCHEMA] as const].map(([name, schema]) => [
      `editor/${name}.json`,
      `${JSON.stringify(schema, undefined, 2)}\n`,
    ]),
  );
}

function objectOf(kind: PlainKind): JsonSchema {
  const grammar: Readonly<Record<string, Shape>> = kind === 'info' ? {} : GRAMMAR[kind];
  const nested = Object.entries(grammar).map(([name, shape]) => [name, memberOf(shape)] as const);
  return {
    type: kind === 'schema' ? ['object', 'boolean'] : 'object',
    properties: { ...PLAIN_MEMBERS[kind], ...Object.fromEntries(nested), ...extensionsOf(PLACES[kind] ?? []) },
    ...(kind === 'callback' && { additionalProperties: ref('pathItem') }),
  };
}

const ref = (kind: PlainKind): JsonSchema => ({ $ref: `#/$defs/${kind}` });

function memberOf({ as, kind }: Shape): JsonSchema {
  switch (as) {
    case 'one':
      return ref(kind);
    case 'list':
      return { type: 'array', items: ref(kind) };
    case 'map':
      return { type: 'object', additionalProperties: ref(kind) };
    case 'extensibleMap':
      return { type: 'object', patternProperties: { '^x-': true }, additionalProperties: ref(kind) };
  }
}

function extensionsOf(places: readonly ExtensionPlace[]): Readonly<Record<string, JsonSchema>> {
  const found = Object.entries(EXTENSIONS).flatMap(([name, { description, shapes, examples }]) => {
    const [shape, ...others] = places.flatMap((place) => (shapes[place] === undefined ? [] : [shapes[place]]));
    if (shape === undefined) return [];
    const example = places.map((place) => examples[place]).find((text) => text !== undefined);
    const text = { description: `${description}\n\nExample: ${example}` };
    return [
      [name, others.length === 0 ? { ...(shape as object), ...text } : { anyOf: [shape, ...others], ...text }] as const,
    ];
  });
  return Object.fromEntries(found);
}

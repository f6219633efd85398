import type { Schema } from '../../descriptor/document.ts';

/** Where an extension may stand: on a property's schema, an object's schema, an operation or a response. */
export type ExtensionPlace = 'property' | 'schema' | 'operation' | 'response';

export interface ExtensionDefinition {
  /** The shape of its value, by place. */
  readonly shapes: { readonly [P in ExtensionPlace]?: Schema };
  /** A right value, as YAML, for hints. */
  readonly example: string;
}

const propertyName = { type: 'string', minLength: 1 };
const flag = { const: true };
const errorCode = { type: 'string', pattern: '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$' };
const deliberateDifference = {
  type: 'object',
  required: ['because'],
  minProperties: 2,
  additionalProperties: false,
  properties: { graphql: { const: 'absent' }, rest: { const: 'absent' }, because: { type: 'string', minLength: 1 } },
};

/** The extensions of the conventions; nothing else that begins with `x-` has a meaning here. */
export const EXTENSIONS: Readonly<Record<string, ExtensionDefinition>> = {
  'x-references': {
    shapes: { property: { type: 'string', minLength: 1 } },
    example: 'x-references: Product',
  },
  'x-on-delete': {
    shapes: { property: { enum: ['restrict', 'cascade', 'set-null'] } },
    example: 'x-on-delete: restrict',
  },
  'x-unique': {
    shapes: {
      property: flag,
      schema: {
        type: 'array',
        minItems: 1,
        items: { type: 'array', minItems: 1, uniqueItems: true, items: propertyName },
      },
    },
    example: 'x-unique: true (on a property) or x-unique: [[productId, userId]] (on the schema)',
  },
  'x-transitions': {
    shapes: {
      property: {
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'array', uniqueItems: true, items: { type: 'string' } },
      },
    },
    example: 'x-transitions: { PENDING: [PAID, CANCELLED], PAID: [] }',
  },
  'x-owner': {
    shapes: {
      schema: {
        type: 'object',
        required: ['property'],
        additionalProperties: false,
        properties: {
          property: propertyName,
          scope: { type: 'string', minLength: 1 },
          reads: { enum: ['owner', 'anyone'] },
        },
      },
    },
    example: 'x-owner: { property: userId, scope: "orders:admin" }',
  },
  'x-immutable': { shapes: { property: flag }, example: 'x-immutable: true' },
  'x-sunset': {
    shapes: { operation: { type: 'string', format: 'date' } },
    example: 'x-sunset: 2027-06-30',
  },
  'x-error-codes': {
    shapes: {
      schema: {
        type: 'object',
        propertyNames: errorCode,
        additionalProperties: {
          type: 'object',
          required: ['status', 'title', 'description', 'retryable'],
          additionalProperties: false,
          properties: {
            status: { type: 'integer', minimum: 400, maximum: 599 },
            title: { type: 'string', minLength: 1 },
            description: { type: 'string', minLength: 1 },
            retryable: { type: 'boolean' },
          },
        },
      },
      response: { type: 'array', uniqueItems: true, items: errorCode },
    },
    example: 'x-error-codes: [NOT_FOUND] (on a response)',
  },
  'x-parity': {
    shapes: { property: deliberateDifference, schema: deliberateDifference, operation: deliberateDifference },
    example: 'x-parity: { graphql: absent, because: "…" }',
  },
};

import type { Schema } from '../../../descriptor/document.ts';
import { PACKAGE_NAME, PACKAGE_VERSION } from '../../../descriptor/package.ts';
import { TOOL_GROUPS } from '../../../descriptor/tools.ts';
import { SEARCH_LANGUAGES } from '../../../descriptor/words/inflections.ts';
import type { ExtensionUse } from '../source.ts';
import { ACCESS_SHAPE, FIELD_ACCESS_SHAPE } from './access-shape.ts';

/**
 * Where an extension may occur: on a property's schema, an object's schema, an operation, its parameter or response,
 * `info`, or the document as a whole.
 */
export type ExtensionPlace = ExtensionUse['place'];

export interface ExtensionDefinition {
  /** What it means, in a sentence. */
  readonly description: string;
  /** The shape of its value, by place. */
  readonly shapes: { readonly [P in ExtensionPlace]?: Schema };
  /** A rule of its own checks the value, and names the place in it that is wrong. */
  readonly hasOwnRule?: true;
  /** A valid value by place, as YAML, for hints. */
  readonly examples: { readonly [P in ExtensionPlace]?: string };
}

/** As identifiers of SQL are written without quotes; what ends with an underscore is the server's own. */
const storageName = (reserved = '') => ({
  type: 'string',
  maxLength: 63,
  pattern: `^${reserved}[A-Za-z_](?:\\w*[A-Za-z0-9])?$`,
});

const propertyName = { type: 'string', minLength: 1 };
const searchedNames = { type: 'array', minItems: 1, uniqueItems: true, items: propertyName };
const flag = { const: true };
const errorCode = { type: 'string', pattern: '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$' };
const deliberateDifference = {
  type: 'object',
  required: ['because'],
  minProperties: 2,
  additionalProperties: false,
  properties: { graphql: { const: 'absent' }, rest: { const: 'absent' }, because: { type: 'string', minLength: 1 } },
};

const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
});
/** A name as the catalogue of Postgres has it; a rule of the conventions judges which form fits which table. */
const catalogueName = { type: 'string', minLength: 1, maxLength: 63 };
const columnShape = {
  anyOf: [
    catalogueName,
    { type: 'array', minItems: 2, uniqueItems: true, items: catalogueName },
    closed({ name: catalogueName, zone: { const: 'UTC' } }),
  ],
};
const waivedBreak = {
  rule: { type: 'string', pattern: '^breaking-(?:rest|graphql|mcp|storage|versions)/[a-z0-9-]+$' },
  subject: { type: 'string', minLength: 1 },
};
const waiverTerms = { reason: { type: 'string', minLength: 1 }, until: { type: 'string', format: 'date' } };

const packageName = { type: 'string', maxLength: 214, pattern: PACKAGE_NAME.source };
const packageVersion = { type: 'string', pattern: PACKAGE_VERSION.source };

const parityExample = 'x-parity: { graphql: absent, because: "…" }';

/** The extensions of the conventions; all other `x-` keys are ignored. */
export const EXTENSIONS: Readonly<Record<string, ExtensionDefinition>> = {
  'x-references': {
    description: 'The property holds the id of a resource, which is named by its schema: a foreign key.',
    shapes: { property: { type: 'string', minLength: 1 } },
    examples: { property: 'x-references: Book' },
  },
  'x-inverse': {
    description: 'Name of the referring rows in the target, in conditions and as the connection of GraphQL.',
    shapes: { property: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
    examples: { property: 'x-inverse: appointments' },
  },
  'x-through': {
    description:
      'The operation lists the rows that a third resource joins to its parent, labels of an issue, or links two of them.',
    shapes: {
      operation: {
        anyOf: [
          propertyName,
          {
            type: 'object',
            required: ['resource'],
            additionalProperties: false,
            properties: { resource: propertyName, from: propertyName, to: propertyName },
          },
        ],
      },
    },
    examples: { operation: 'x-through: IssueLabel' },
  },
  'x-totals': {
    description: 'The operation answers counts, sums and averages of the rows of a list, by group.',
    shapes: {
      operation: {
        anyOf: [
          propertyName,
          {
            type: 'object',
            required: ['resource'],
            additionalProperties: false,
            properties: { resource: propertyName, maxRows: { type: 'integer', minimum: 1, maximum: 2147483647 } },
          },
        ],
      },
    },
    examples: { operation: 'x-totals: Order' },
  },
  'x-batch': {
    description: 'The operation writes several rows of a resource at once.',
    shapes: { operation: propertyName },
    examples: { operation: 'x-batch: Book' },
  },
  'x-on-delete': {
    description: 'Effect on this resource when the referenced row is deleted.',
    shapes: { property: { enum: ['restrict', 'cascade', 'set-null'] } },
    examples: { property: 'x-on-delete: restrict' },
  },
  'x-reference-hidden': {
    description: 'Whether callers may refer to rows that `x-owner` hides from them. Default: `refuse`.',
    shapes: { property: { enum: ['refuse', 'allow'] } },
    examples: { property: 'x-reference-hidden: allow' },
  },
  'x-unique': {
    description: 'No two resources have the same value of the property, or of the properties together.',
    shapes: {
      property: flag,
      schema: {
        type: 'array',
        minItems: 1,
        items: { type: 'array', minItems: 1, uniqueItems: true, items: propertyName },
      },
    },
    examples: { property: 'x-unique: true', schema: 'x-unique: [[productId, userId]]' },
  },
  'x-transitions': {
    description: 'The legal moves of a state machine, by state; the first value of the enum is the initial state.',
    shapes: {
      property: {
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'array', uniqueItems: true, items: { type: 'string' } },
      },
    },
    examples: { property: 'x-transitions: { PENDING: [PAID, CANCELLED], PAID: [] }' },
  },
  'x-owner': {
    description: 'A caller sees and changes only the rows whose property equals the `sub` of its token.',
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
    examples: { schema: 'x-owner: { property: memberId, scope: "loans:admin" }' },
  },
  'x-access': {
    description:
      'Access to rows, or to a property. Each action has alternatives with a scope, a condition or both; one of them suffices.',
    hasOwnRule: true,
    shapes: { schema: ACCESS_SHAPE, property: FIELD_ACCESS_SHAPE },
    examples: {
      schema: 'x-access: { read: [{ scope: "patients:admin" }, { where: { ownerId: $claims.sub } }] }',
      property: 'x-access: { read: [{ where: { userId: $claims.sub } }], write: [{ scope: "staff:admin" }] }',
    },
  },
  'x-tenant': {
    description:
      "Tenants: a property of resources equals a claim of the caller's token, and callers stay within their tenant.",
    shapes: {
      document: {
        type: 'object',
        required: ['property', 'claim'],
        additionalProperties: false,
        properties: {
          property: propertyName,
          claim: { type: 'string', minLength: 1 },
          across: { type: 'string', minLength: 1 },
        },
      },
    },
    examples: { document: 'x-tenant: { property: tenantId, claim: tenant, across: "tenants:operate" }' },
  },
  'x-resource': {
    description: 'The schema is not a resource, although it resembles one: handlers serve its operations.',
    shapes: { schema: { const: false } },
    examples: { schema: 'x-resource: false' },
  },
  'x-naming': {
    description:
      'The case of names in this document, and whether names that differ from the recommended ones are errors.',
    shapes: {
      info: {
        anyOf: [
          { const: 'strict' },
          {
            type: 'object',
            minProperties: 1,
            additionalProperties: false,
            properties: { case: { enum: ['camelCase', 'snake_case'] }, strict: { type: 'boolean' } },
          },
        ],
      },
    },
    examples: { info: 'x-naming: { case: snake_case }' },
  },
  'x-package': {
    description: 'Name of the npm package of the TypeScript client; as an object, also the version of all clients.',
    shapes: {
      info: {
        anyOf: [
          packageName,
          {
            type: 'object',
            minProperties: 1,
            additionalProperties: false,
            properties: { name: packageName, version: packageVersion },
          },
        ],
      },
    },
    examples: { info: 'x-package: { name: "@example/library-client", version: 1.4.0 }' },
  },
  'x-versions': {
    description: 'Old versions that are served as they were released, with the dates for callers.',
    shapes: {
      info: {
        type: 'object',
        minProperties: 1,
        propertyNames: { type: 'string', pattern: '^[a-z0-9][a-z0-9.-]*$' },
        additionalProperties: {
          type: 'object',
          required: ['deprecated'],
          additionalProperties: false,
          properties: { deprecated: { type: 'string', format: 'date' }, sunset: { type: 'string', format: 'date' } },
        },
      },
    },
    examples: { info: 'x-versions: { v1: { deprecated: 2026-11-01, sunset: 2027-06-30 } }' },
  },
  'x-waivers': {
    description: 'Deliberate breaking changes, each with a reason and a last day.',
    shapes: {
      info: {
        type: 'array',
        minItems: 1,
        items: {
          anyOf: [
            closed({ ...waivedBreak, ...waiverTerms }),
            closed({ breaks: { type: 'array', minItems: 1, items: closed(waivedBreak) }, ...waiverTerms }),
          ],
        },
      },
    },
    examples: {
      info: 'x-waivers: [{ rule: breaking-rest/property-removed, subject: Book.isbn, reason: "…", until: 2026-12-31 }]',
    },
  },
  'x-mcp': {
    description:
      'What agents are offered over the Model Context Protocol: groups of operations, or one operation under a name of its own.',
    shapes: {
      info: {
        type: 'object',
        additionalProperties: false,
        properties: {
          offer: { type: 'array', uniqueItems: true, items: { enum: [...TOOL_GROUPS] } },
          instructions: { type: 'string', minLength: 1 },
          budget: { type: 'integer', minimum: 1 },
          signIn: { enum: ['asked', 'always'] },
        },
      },
      operation: {
        anyOf: [
          { type: 'boolean' },
          {
            type: 'object',
            minProperties: 1,
            additionalProperties: false,
            properties: { name: { type: 'string', minLength: 1 }, description: { type: 'string', minLength: 1 } },
          },
        ],
      },
    },
    examples: {
      info: 'x-mcp: { offer: [read], instructions: Ask before you order. }',
      operation: 'x-mcp: { name: changeOrder, description: Changes an order that is still pending. }',
    },
  },
  'x-immutable': {
    description: 'The property is set on creation and never changed.',
    shapes: { property: flag },
    examples: { property: 'x-immutable: true' },
  },
  'x-column': {
    description:
      'Column of the property. Default: its name in snake_case. In a mapped table also several, or one with the zone of its times. Clients do not see it.',
    shapes: { property: columnShape, schema: columnShape },
    examples: { property: 'x-column: born_on', schema: 'x-column: born_on' },
  },
  'x-table': {
    description:
      'Table of the resource. Default: the name of its path. An object names a table of others, which is mapped. Clients do not see it.',
    shapes: {
      schema: {
        anyOf: [storageName('(?!lockstep_|sqlite_|pg_)'), closed({ schema: catalogueName, name: catalogueName })],
      },
    },
    examples: { schema: 'x-table: animals' },
  },
  'x-search': {
    description:
      'The list has a parameter `search`, which finds rows with all its words in these properties; with a language, in all inflected forms.',
    shapes: {
      schema: {
        anyOf: [
          searchedNames,
          {
            type: 'object',
            required: ['properties'],
            additionalProperties: false,
            properties: {
              properties: searchedNames,
              language: { type: 'string', minLength: 1, examples: [...SEARCH_LANGUAGES] },
            },
          },
        ],
      },
    },
    examples: { schema: 'x-search: [title, summary]' },
  },
  'x-deprecated-since': {
    description: 'The day since which the operation is deprecated; answers carry it.',
    shapes: { operation: { type: 'string', format: 'date' } },
    examples: { operation: 'x-deprecated-since: 2026-11-01' },
  },
  'x-sunset': {
    description: 'The day on which the deprecated operation ends; answers carry it.',
    shapes: { operation: { type: 'string', format: 'date' } },
    examples: { operation: 'x-sunset: 2027-06-30' },
  },
  'x-error-codes': {
    description: 'The words of each error code on `ErrorCode`; on a response, the codes that it may carry.',
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
    examples: {
      schema:
        'x-error-codes: { NO_STOCK: { status: 409, title: No stock, description: All are sold., retryable: false } }',
      response: 'x-error-codes: [NOT_FOUND]',
    },
  },
  'x-parity': {
    description: 'GraphQL deliberately lacks this, or differs, for the reason that is given.',
    shapes: {
      property: deliberateDifference,
      schema: deliberateDifference,
      operation: deliberateDifference,
      parameter: deliberateDifference,
    },
    examples: {
      property: parityExample,
      schema: parityExample,
      operation: parityExample,
      parameter: parityExample,
    },
  },
};

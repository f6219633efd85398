import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';
const VOCABULARY = 'https://spec.openapis.org/oas/3.1/meta/base';

const discriminator = {
  type: 'object',
  required: ['propertyName'],
  properties: {
    propertyName: { type: 'string' },
    mapping: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

/** The part of OpenAPI's own vocabulary (https://spec.openapis.org/oas/3.1/meta/base) that the server relies on. */
const vocabulary = {
  $id: VOCABULARY,
  $dynamicAnchor: 'meta',
  type: ['object', 'boolean'],
  properties: { discriminator },
};

/** The dynamic anchor applies both to the subschemas of a schema as well. */
const dialect = {
  $id: 'https://spec.openapis.org/oas/3.1/dialect/base',
  $dynamicAnchor: 'meta',
  allOf: [{ $ref: JSON_SCHEMA }, { $ref: VOCABULARY }],
};

let compiled: ValidateFunction | undefined;

/** Validates OpenAPI 3.1 schemas and collects all errors. Compiled when first asked for, and kept. */
export function schemaValidator(): ValidateFunction {
  compiled ??= compileDialect();
  return compiled;
}

function compileDialect(): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  return ajv.addSchema(vocabulary).compile(dialect);
}

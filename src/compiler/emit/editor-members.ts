import type { Kind } from '../read/grammar.ts';

/** The objects that an editor knows: those of the grammar, and `info`, which has extensions. */
export type PlainKind = Kind | 'info';

type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const oneOf = (...values: readonly string[]) => ({ enum: values });
const all = (names: string, schema: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema]));

const reference = { $ref: text };
const texts = { type: 'array', items: text };
const servers = {
  type: 'array',
  items: { type: 'object', required: ['url'], properties: all('url description', text) },
};
const security = { type: 'array', items: { type: 'object', additionalProperties: texts } };
const externalDocs = { type: 'object', required: ['url'], properties: all('url description', text) };
const style = oneOf('matrix', 'label', 'form', 'simple', 'spaceDelimited', 'pipeDelimited', 'deepObject');
const parameter = {
  ...reference,
  ...all('name description', text),
  ...all('required deprecated allowEmptyValue explode allowReserved', flag),
  in: oneOf('path', 'query', 'header', 'cookie'),
  style,
  example: true,
};
const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];

/** The members of each object that hold plain values (OpenAPI 3.1, 4.8; JSON Schema 2020-12, Validation). */
export const PLAIN_MEMBERS: Readonly<Record<PlainKind, Readonly<Record<string, unknown>>>> = {
  document: {
    ...all('openapi jsonSchemaDialect', text),
    info: { $ref: '#/$defs/info' },
    servers,
    security,
    tags: {
      type: 'array',
      items: { type: 'object', required: ['name'], properties: { ...all('name description', text), externalDocs } },
    },
    externalDocs,
  },
  info: {
    ...all('title summary description termsOfService version', text),
    contact: { type: 'object', properties: all('name url email', text) },
    license: { type: 'object', required: ['name'], properties: all('name identifier url', text) },
  },
  components: {},
  pathItem: { ...reference, ...all('summary description', text), servers },
  operation: {
    ...all('summary description operationId', text),
    tags: texts,
    externalDocs,
    deprecated: flag,
    security,
    servers,
  },
  parameter,
  header: { ...reference, description: text, ...all('required deprecated explode', flag), style, example: true },
  requestBody: { ...reference, description: text, required: flag },
  mediaType: { example: true },
  encoding: { contentType: text, ...all('explode allowReserved', flag), style },
  response: { ...reference, description: text },
  example: { ...reference, ...all('summary description externalValue', text), value: true },
  link: { ...reference, ...all('operationRef operationId description', text), parameters: true, requestBody: true },
  callback: reference,
  securityScheme: {
    ...reference,
    ...all('name description scheme bearerFormat openIdConnectUrl', text),
    type: oneOf('apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'),
    in: oneOf('query', 'header', 'cookie'),
    flows: { type: 'object' },
  },
  discriminator: { propertyName: text, mapping: { type: 'object', additionalProperties: text } },
  schema: {
    ...reference,
    ...all('title description format pattern contentEncoding contentMediaType $comment', text),
    ...all('deprecated readOnly writeOnly uniqueItems', flag),
    ...all('minLength maxLength minItems maxItems minProperties maxProperties', count),
    ...all('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf', { type: 'number' }),
    ...all('const default example', true),
    type: { anyOf: [{ enum: TYPES }, { type: 'array', items: { enum: TYPES } }] },
    ...all('enum examples', { type: 'array' }),
    required: texts,
    externalDocs,
  },
} satisfies Readonly<Record<PlainKind, JsonSchema>>;

import {
  buildSchema,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { givenExamples } from '../../compiler/json-schema/example.ts';
import type { ValueSchema } from '../../compiler/json-schema/value-schema.ts';
import type { OperationDraft } from '../../compiler/model/draft.ts';
import { collectOperations } from '../../compiler/model/operations.ts';
import { namedSchemas } from '../../compiler/model/schemas.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { MediaType, OpenApiDocument, Response } from '../../descriptor/document.ts';
import { partsOfCoordinate } from '../../descriptor/graphql.ts';
import { SCALAR_FORMATS } from '../../runtime/graphql/fields/scalars.ts';
import { isJson, parseContentType } from '../../runtime/http/media-type.ts';
import type { CustomHandler } from '../../runtime/rest/custom-handler.ts';
import { createSchemaRegistry } from '../../runtime/schema/create-schema-registry.ts';
import type { SchemaRegistry } from '../../runtime/schema/schema-registry.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { customOperations } from '../start/custom-operations.ts';
import { LifelikeValues } from './lifelike-values.ts';
import { mockSecurity } from './mock-security.ts';

const MAX_DEPTH = 4;
const ITEMS = 2;
const EXAMPLE = 0.5;
/** Draws until a body fits its schema: alternatives may overlap, and bounds of one may exclude what others draw. */
const MAX_ATTEMPTS = 20;

/** Handlers that answer every custom operation and field with values made from its schema. */
export function mockHandlers(contract: CompiledContract, seed: number): AnyHandlers {
  const { document } = contract;
  const schemas = createSchemaRegistry(document);
  const values = new LifelikeValues({ document, schemas, seed });
  const unserved = new Set(customOperations(contract).unserved.map(({ operationId }) => operationId));
  const operations = collectOperations(document)
    .filter(({ operationId }) => unserved.has(operationId))
    .map((operation) => [operation.operationId, answering(operation, values, schemas)]);
  return {
    operations: Object.fromEntries(operations),
    security: mockSecurity(contract),
    fields: fieldHandlers(contract, values),
  };
}

/** Answers with the first successful response that the operation declares. */
function answering(operation: OperationDraft, values: LifelikeValues, schemas: SchemaRegistry): CustomHandler {
  const { status, response } = successOf(operation);
  const [type, media] = Object.entries(response?.content ?? {})[0] ?? [];
  if (type === undefined) return () => ({ status });
  const essence = parseContentType(type)?.essence ?? type;
  const contentType = concrete(essence) ?? type;
  if (isJson(contentType)) {
    const make = bodyMaker(media ?? {}, values, schemas);
    return ({ params }) => ({ status, contentType, body: make(params) });
  }
  return () => {
    const text = String(values.of('text', { type: 'string', maxLength: 80 }));
    return { status, contentType, body: essence.startsWith('text/') ? text : Buffer.from(text) };
  };
}

/** The first of 2xx, else what stands for it, else a redirection; every completed operation declares one of them. */
function successOf({ responses }: OperationDraft): {
  readonly status: number;
  readonly response: Response | undefined;
} {
  const statuses = [...responses.keys()];
  const found = [/^2\d\d$/, /^2XX$/, /^default$/, /^3\d\d$/, /^3XX$/]
    .map((form) => statuses.find((status) => form.test(status)))
    .find((status) => status !== undefined);
  const status = found === undefined || found === 'default' ? 200 : Number(found.replace('XX', '00'));
  return { status, response: responses.get(found ?? '') };
}

/** A type that a range of types covers: nothing can be sent as a range. */
function concrete(essence: string): string | undefined {
  if (essence === '*/*' || essence === 'application/*') return 'application/json';
  if (essence === 'text/*') return 'text/plain';
  return essence.endsWith('/*') ? 'application/octet-stream' : undefined;
}

/** Makes bodies by the schema, and of the examples that fit it. A schema that no draw has met is answered as it came. */
function bodyMaker(media: MediaType, values: LifelikeValues, schemas: SchemaRegistry) {
  const schema = media.schema as ValueSchema | undefined;
  const check = schemas.output(media.schema ?? true);
  const isFit = (value: unknown): boolean =>
    value !== undefined && check(JSON.parse(JSON.stringify(value))) === undefined;
  const examples = givenExamples(media).filter(isFit);
  return (params: Readonly<Record<string, unknown>>): unknown => {
    if (examples.length > 0 && values.random.chance(EXAMPLE)) return values.random.pick(examples);
    let drawn: unknown;
    for (let i = 0; i < MAX_ATTEMPTS; i += 1) {
      drawn = values.of('', schema);
      const about = withParams(drawn, params);
      if (isFit(about)) return about;
      if (isFit(drawn)) return drawn;
    }
    return examples[0] ?? drawn ?? null;
  };
}

/** Copies path parameters into the properties of the same name, so that the answer is about what was asked for. */
function withParams(body: unknown, params: Readonly<Record<string, unknown>>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const shared = Object.entries(params).filter(([name]) => Object.hasOwn(body, name));
  return { ...body, ...Object.fromEntries(shared) };
}

function fieldHandlers(
  { graphql, document }: CompiledContract,
  values: LifelikeValues,
): NonNullable<AnyHandlers['fields']> {
  if (!graphql) return {};
  const schema = buildSchema(graphql.sdl);
  const handlers: Record<string, Record<string, (...args: never[]) => unknown>> = {};
  for (const [coordinate, field] of Object.entries(graphql.descriptor.fields)) {
    if (field.kind !== 'custom') continue;
    const { type, field: name } = partsOfCoordinate(coordinate);
    const parent = schema.getType(type);
    const returned = isObjectType(parent) ? parent.getFields()[name]?.type : undefined;
    if (!returned || schema.getSubscriptionType() === parent) continue;
    const isRoot = schema.getQueryType() === parent || schema.getMutationType() === parent;
    const make = () => fieldValue({ schema, document, values }, returned, name, 0);
    handlers[type] ??= {};
    handlers[type][name] = isRoot ? make : (parents: readonly unknown[]) => parents.map(make);
  }
  return handlers as NonNullable<AnyHandlers['fields']>;
}

/** Schemas of the scalars that are not texts with a format. */
const SCALARS: Readonly<Record<string, ValueSchema>> = {
  Int: { type: 'integer' },
  SafeInt: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  ID: { type: 'string', format: 'uuid' },
};

function scalarSchema(name: string): ValueSchema {
  const format = SCALAR_FORMATS[name];
  return SCALARS[name] ?? (format === undefined ? { type: 'string', maxLength: 20 } : { type: 'string', format });
}

interface Maker {
  readonly schema: GraphQLSchema;
  readonly document: OpenApiDocument;
  readonly values: LifelikeValues;
}

function fieldValue(maker: Maker, given: GraphQLOutputType, name: string, depth: number): unknown {
  const { schema, values } = maker;
  const type = getNullableType(given);
  if (type === given && depth >= MAX_DEPTH) return null;
  if (isListType(type)) return Array.from({ length: ITEMS }, () => fieldValue(maker, type.ofType, name, depth + 1));
  if (isEnumType(type)) return values.random.pick(type.getValues()).value;
  if (isAbstractType(type)) {
    const chosen = values.random.pick(schema.getPossibleTypes(type));
    return { __typename: chosen.name, ...objectOf(maker, chosen, depth) };
  }
  if (isObjectType(type)) return objectOf(maker, type, depth);
  return values.of(name, scalarSchema(type.name));
}

/** Made from REST's schema of the same name, which says more, if there is one. */
function objectOf(maker: Maker, type: GraphQLObjectType, depth: number): object {
  const { document, values } = maker;
  const fields = Object.values(type.getFields());
  const isFlat = fields.every((field) => isLeafType(getNamedType(field.type)));
  if (isFlat && namedSchemas(document)[type.name])
    return values.of('', { $ref: `#/components/schemas/${type.name}` } as ValueSchema) as object;
  return Object.fromEntries(fields.map((field) => [field.name, fieldValue(maker, field.type, field.name, depth + 1)]));
}

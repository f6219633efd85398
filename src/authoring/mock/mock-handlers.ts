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
import { BUDGET, type ValueSchema } from '../../compiler/json-schema/index.ts';
import { collectOperations, type OperationDraft, schemaNamed } from '../../compiler/model/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { contentOf } from '../../descriptor/content.ts';
import type { OpenApiDocument, Response } from '../../descriptor/document.ts';
import { partsOfCoordinate } from '../../descriptor/graphql.ts';
import type { Caller } from '../../runtime/engine/interface/index.ts';
import { SCALAR_FORMATS } from '../../runtime/graphql/fields/index.ts';
import { reply } from '../../runtime/operations/index.ts';
import type { CustomReply, CustomRequest } from '../../runtime/rest/index.ts';
import { createSchemaRegistry, type SchemaRegistry } from '../../runtime/schema/index.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { LifelikeValues } from '../../tools/samples/index.ts';
import { customOperations } from '../start/custom-operations.ts';
import { type ContentMaker, contentMaker } from './mock-content.ts';
import { mockSecurity } from './mock-security.ts';

const ITEMS = 2;
/** Objects inside each other that a field must have, and cannot have without end. */
const MAX_DEPTH = 20;
/** The header field that names why an answer does not meet its schema. */
const FAULT_FIELD = 'mock-fault';
const MAX_FAULT_LENGTH = 500;

/** Handlers that answer every custom operation and field with values made from its schema. */
export function mockHandlers(contract: CompiledContract, seed: number): AnyHandlers {
  const { document } = contract;
  const schemas = createSchemaRegistry(document);
  const values = new LifelikeValues({ document, schemas, seed });
  const places = new Map(customOperations(contract).unserved.map(({ operationId, code }) => [operationId, code?.in]));
  const all = collectOperations(document)
    .filter(({ operationId }) => places.has(operationId))
    .map((operation) => ({ operation, makers: makersOf(document, operation, values, schemas) }));
  oneByOne(all.flatMap(({ makers }) => [...makers.values()].map(({ prepare }) => prepare)));
  const answers = all.map(({ operation, makers }) => [operation.operationId, answering(operation, makers)] as const);
  return {
    operations: Object.fromEntries(
      answers.flatMap(([id, answer]) => (places.get(id) === 'operations' ? [[id, inReply(answer)]] : [])),
    ),
    routes: Object.fromEntries(
      answers.flatMap(([id, answer]) => (places.get(id) === 'routes' ? [[id, overHttp(answer)]] : [])),
    ),
    security: mockSecurity(contract),
    fields: fieldHandlers(contract, values),
  };
}

/** Answers a call with these parameters, in the media type that its caller prefers. */
type Answering = (params: CustomRequest['params'], caller: Caller, accept?: string) => CustomReply;

const inReply =
  (answer: Answering) =>
  (inputs: CustomRequest['params'], { caller }: { readonly caller: Caller }) =>
    reply(answer(inputs, caller));

const overHttp =
  (answer: Answering) =>
  ({ params, accept }: CustomRequest, { caller }: { readonly caller: Caller }) =>
    answer(params, caller, accept);

/** Answers with the first successful response that the operation declares. */
function answering(operation: OperationDraft, makers: ReadonlyMap<string, ContentMaker>): Answering {
  const { status } = successOf(operation);
  const [first] = makers.values();
  if (!first) return () => ({ status });
  return (params, caller, accept) => {
    const { contentType, body, fault } = (makers.get(accept ?? '') ?? first).make(params);
    if (fault === undefined) return { status, contentType, body };
    caller.log.warn({ operationId: operation.operationId }, `the mock's answer does not meet its schema: ${fault}`);
    return { status, headers: { [FAULT_FIELD]: headerText(fault) }, contentType, body };
  };
}

/** The characters that a header field may have (RFC 9110, 5.5), and not too many of them. */
const headerText = (text: string): string => text.slice(0, MAX_FAULT_LENGTH).replaceAll(/[^\x20-\x7e]/g, '?');

/** Between requests. */
function oneByOne([first, ...others]: readonly (() => void)[]): void {
  if (!first) return;
  setImmediate(() => {
    first();
    oneByOne(others);
  }).unref();
}

/** By media type. */
function makersOf(
  document: OpenApiDocument,
  operation: OperationDraft,
  values: LifelikeValues,
  schemas: SchemaRegistry,
) {
  const content = Object.entries(contentOf(document, successOf(operation).response?.content));
  return new Map(content.map(([type, media]) => [type, contentMaker(document, type, media, values, schemas)]));
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

function fieldHandlers(
  { graphql, document }: CompiledContract,
  values: LifelikeValues,
): NonNullable<AnyHandlers['fields']> {
  if (!graphql) return {};
  const schema = buildSchema(graphql.sdl);
  const handlers: Record<string, Record<string, (...args: never[]) => unknown>> = {};
  for (const [coordinate, field] of Object.entries(graphql.descriptor.fields)) {
    if (field.kind !== 'custom' || field.isOperation) continue;
    const { type, field: name } = partsOfCoordinate(coordinate);
    const parent = schema.getType(type);
    const returned = isObjectType(parent) ? parent.getFields()[name]?.type : undefined;
    if (!returned || schema.getSubscriptionType() === parent) continue;
    const isRoot = schema.getQueryType() === parent || schema.getMutationType() === parent;
    const make = () => fieldValue({ schema, document, values }, returned, { name, depth: 0, budget: BUDGET });
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

interface FieldPlace {
  readonly name: string;
  readonly depth: number;
  /** How many values may be made here, as far as the schema leaves a choice. */
  readonly budget: number;
}

function fieldValue(maker: Maker, given: GraphQLOutputType, place: FieldPlace): unknown {
  const { schema, values } = maker;
  const type = getNullableType(given);
  if ((type === given && place.budget < 1) || place.depth > MAX_DEPTH) return null;
  if (isListType(type)) {
    const length = Math.max(0, Math.min(ITEMS, Math.floor(place.budget)));
    return Array.from({ length }, () => fieldValue(maker, type.ofType, { ...place, budget: place.budget / length }));
  }
  if (isEnumType(type)) return values.random.pick(type.getValues()).value;
  if (isAbstractType(type)) {
    const chosen = values.random.pick(schema.getPossibleTypes(type));
    return { __typename: chosen.name, ...objectOf(maker, chosen, place) };
  }
  if (isObjectType(type)) return objectOf(maker, type, place);
  return values.of(place.name, scalarSchema(type.name));
}

/** Made from REST's schema of the same name, which says more, if there is one. */
function objectOf(maker: Maker, type: GraphQLObjectType, { depth, budget }: FieldPlace): object {
  const { document, values } = maker;
  const fields = Object.values(type.getFields());
  const isFlat = fields.every((field) => isLeafType(getNamedType(field.type)));
  if (isFlat && schemaNamed(document, type.name))
    return values.of('', { $ref: `#/components/schemas/${type.name}` } as ValueSchema) as object;
  const inner = fields.filter((field) => !isLeafType(getNamedType(field.type)));
  const share = (budget - 1) / Math.max(1, inner.length);
  return Object.fromEntries(
    fields.map(({ name, type: returned }) => {
      const isLeaf = isLeafType(getNamedType(returned));
      return [name, fieldValue(maker, returned, { name, depth: depth + 1, budget: isLeaf ? ITEMS : share })];
    }),
  );
}

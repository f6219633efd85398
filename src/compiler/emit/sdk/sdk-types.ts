import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { schemaUri } from '../../../descriptor/references.ts';
import { declaredAction, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { resolveReference, schemaNameOf } from '../../json-schema/references.ts';
import type { ContractModel } from '../../model/model.ts';
import { schemaNamed } from '../../model/schemas.ts';
import { quote } from '../print.ts';
import { commentOf, errorClassesOf } from './sdk-errors.ts';

const MAX_DEPTH = 8;

/** Types that the module exports or uses by these names. */
const TAKEN = new Set(
  `Actions AnswerOf AnyClient AnyPage ApiAnswer ApiCall ApiError CallOptions Client ClientOptions ConditionalCall ConditionalOptions
  ConnectionError CreateOptions ErrorCode FieldError List NonNullable Omit Pick Promise QueryOf Readable RequestOf RetryOptions Schemas
  SendAttempt SendHooks UnchangedAnswer UnexpectedAnswerError Writable WriteOptions`.split(/\s+/),
);

/** A name of TypeScript for a schema: `ListType` where the package has a `List` of its own. */
export function identifier(model: ContractModel, schema: string): string {
  const name = schema.replace(/[^\w$]/g, '_');
  return TAKEN.has(name) || errorClassesOf(model).includes(name) ? `${name}Type` : name;
}

/**
 * The types of a resource by the names of the contract. They are interfaces where TypeScript allows it: editors show those
 * by their names, and others by everything that is in them.
 */
export function typesOf(model: ContractModel, resource: ResourceDescriptor): string {
  const { resource: read, input, patch } = resource.schemas;
  const written = [input, patch].filter((schema) => schema !== undefined);
  return [
    typeOf(model, read, 'Readable'),
    ...written.map((schema) => typeOf(model, schema, 'Writable')),
    pageTypeOf(model, resource),
  ].join('');
}

function typeOf(model: ContractModel, schema: string, view: 'Readable' | 'Writable'): string {
  const { document } = model;
  const type = `${view}<Schemas[${quote(schema)}]>`;
  const whole = isOneObject(document, { $ref: schemaUri(schema) })
    ? `interface ${identifier(model, schema)} extends ${type} {}`
    : `type ${identifier(model, schema)} = ${type};`;
  const { description } = schemaNamed(document, schema) as { readonly description?: string };
  return `${description === undefined ? '' : `/** ${commentOf(description)} */\n`}export ${whole}\n`;
}

/** The type of the pages of a list: by its name, if the contract gives it one that is nothing else's. */
export function pageOf(model: ContractModel, resource: ResourceDescriptor): string {
  const name = pageName(model, resource);
  if (name !== undefined) return identifier(model, name);
  const operation = quote(declaredAction(resource, 'list').operationId);
  return `Readable<operations[${operation}]['responses'][200]['content']['application/json']>`;
}

function pageTypeOf(model: ContractModel, resource: ResourceDescriptor): string {
  const name = pageName(model, resource);
  if (name === undefined) return '';
  const rest = `Omit<Readable<Schemas[${quote(name)}]>, 'data'>`;
  return `export interface ${identifier(model, name)} extends ${rest} { data: ${identifier(model, resource.schemas.resource)}[] }\n`;
}

function pageName(
  { document, operations }: ContractModel,
  { schemas, actions }: ResourceDescriptor,
): string | undefined {
  const list = operations.find(({ operationId }) => operationId === actions.list?.operationId);
  const response = list?.responses.get('200');
  const schema = response?.content?.['application/json']?.schema;
  const name = schemaNameOf(schema);
  const isFree = name !== undefined && !Object.values(schemas).includes(name);
  return isFree && isOneObject(document, schema as Schema) ? name : undefined;
}

/** Whether a schema is an object whose members are known: an interface can extend it. */
function isOneObject(document: OpenApiDocument, schema: Schema, depth = 0): boolean {
  const found = resolveReference(document, schema as object) as Exclude<Schema, boolean> | undefined;
  if (found === undefined || depth > MAX_DEPTH) return false;
  const { type, properties, allOf = [], anyOf, oneOf } = found as Readonly<Record<string, unknown>>;
  if (anyOf !== undefined || oneOf !== undefined) return false;
  const parts = allOf as readonly Schema[];
  if (type !== undefined ? type !== 'object' : properties === undefined && parts.length === 0) return false;
  return parts.every((part) => typeof part === 'object' && isOneObject(document, part, depth + 1));
}

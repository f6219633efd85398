import { type GraphQLArgument, type GraphQLType, getNamedType, valueFromASTUntyped } from 'graphql';
import type { Parameter, Schema } from '../../descriptor/document.ts';
import { ancestorParameters } from '../fields/names.ts';
import { flattenSchema } from '../json-schema/flat-schema.ts';
import type { OperationDraft } from '../model/draft.ts';
import { camelCase, lowerFirst } from '../model/naming.ts';
import { jsonContent, requestBodyOf, responseOf } from '../model/responses.ts';
import type { Parity } from './parity.ts';
import { typeText } from './type-text.ts';

/** An argument that a custom field has because its operation takes something. */
export interface OperationArgument {
  readonly name: string;
  readonly type: string;
  /** The default value of the schema; undefined when it has none. */
  readonly default?: unknown;
  /** The node of the document that declares it, and its key in it. */
  readonly node: object;
  readonly key?: string;
  readonly schema: Schema;
}

/** Header fields that are arguments by the conventions, or sent with the request in either protocol. */
const KNOWN_HEADERS: Readonly<Record<string, string | undefined>> = { 'if-match': 'ifVersion' };

/**
 * The arguments of a custom field: the path parameters that its parent does not give, the query parameters, and the
 * body as `input`, or property by property where the field has it so.
 */
export function operationArguments(
  parity: Parity,
  operation: OperationDraft,
  typeName: string,
  args: readonly GraphQLArgument[],
): readonly OperationArgument[] {
  const given = givenBy(parity, typeName);
  const parameters = operation.parameters.flatMap((parameter) => {
    if (parameter.in === 'path' && (given === 'all' || given.has(parameter.name))) return [];
    const name = nameOf(parity, operation, parameter, args);
    return name === undefined ? [] : [parameterArgument(parity, parameter, name, args)];
  });
  return [...parameters, ...bodyArguments(parity, operation, args)];
}

/** The path parameters that the parent of a field has; all of them where the parent is not a resource. */
function givenBy(parity: Parity, typeName: string): ReadonlySet<string> | 'all' {
  if (Object.values(parity.rootNames).includes(typeName)) return new Set();
  const resource = parity.resources.find(({ name }) => name === typeName);
  return resource ? new Set([...ancestorParameters(resource), resource.idParameter]) : 'all';
}

/** The last path parameter may be `id`, as in the fields of actions. Cookies and other header fields are no arguments. */
function nameOf(
  { resources }: Parity,
  { parameters }: OperationDraft,
  parameter: Parameter,
  args: readonly GraphQLArgument[],
): string | undefined {
  const has = (name: string): boolean => args.some((one) => one.name === name);
  const own = /^[A-Za-z_]\w*$/.test(parameter.name) ? parameter.name : lowerFirst(camelCase(parameter.name));
  switch (parameter.in) {
    case 'query':
      return own;
    case 'path': {
      const isLast = parameters.findLast((one) => one.in === 'path') === parameter;
      const isId = isLast && resources.some(({ idParameter }) => idParameter === parameter.name);
      return isLast && !has(own) && (has('id') || isId) ? 'id' : own;
    }
    case 'header': {
      const name = KNOWN_HEADERS[parameter.name.toLowerCase()] ?? own;
      return has(name) ? name : undefined;
    }
    case 'cookie':
      return undefined;
  }
}

function parameterArgument(
  parity: Parity,
  parameter: Parameter,
  name: string,
  args: readonly GraphQLArgument[],
): OperationArgument {
  const schema = parameter.schema ?? jsonContent(parameter)?.schema ?? true;
  const isVersion = parameter.in === 'header' && name === 'ifVersion';
  const actual = args.find((one) => one.name === name)?.type;
  const isRequired = parameter.required === true && !flattenSchema(parity.document, schema).nullable;
  const type = isVersion ? 'Int' : typeText(parity.document, [schema], 'input', actual);
  return { name, type: `${type}${isRequired ? '!' : ''}`, ...defaultOf(parity, schema), node: parameter, schema };
}

function bodyArguments(
  parity: Parity,
  operation: OperationDraft,
  args: readonly GraphQLArgument[],
): readonly OperationArgument[] {
  const body = requestBodyOf(parity.document, operation);
  const schema = jsonContent(body)?.schema;
  if (!body || schema === undefined) return [];
  const flat = flattenSchema(parity.document, schema);
  const isSpread = !args.some(({ name }) => name === 'input') && args.some(({ name }) => flat.properties.has(name));
  if (!isSpread) {
    const actual = args.find(({ name }) => name === 'input')?.type;
    const type = typeText(parity.document, [schema], 'input', actual);
    return [{ name: 'input', type: `${type}${body.required === true ? '!' : ''}`, node: body, schema }];
  }
  return [...flat.properties.values()].map(({ name, holder, schemas }) => {
    const actual = args.find((one) => one.name === name)?.type;
    const value = flattenSchema(parity.document, ...schemas);
    const isRequired = body.required === true && flat.required.has(name) && !value.nullable;
    const type = `${typeText(parity.document, schemas, 'input', actual)}${isRequired ? '!' : ''}`;
    const schema = schemas.at(-1)!;
    return { name, type, ...defaultOf(parity, ...schemas), node: holder, key: name, schema };
  });
}

function defaultOf({ document }: Parity, ...schemas: readonly Schema[]): { readonly default?: unknown } {
  const found = flattenSchema(document, ...schemas).keywords.get('default');
  return found ? { default: found.value } : {};
}

/** What a field has written as the default value of an argument, as JSON. */
export function writtenDefault({ astNode }: Pick<GraphQLArgument, 'astNode'>): string | undefined {
  return astNode?.defaultValue && JSON.stringify(valueFromASTUntyped(astNode.defaultValue));
}

/** The schema of the successful answer; undefined when it has no content. `text` for content that is not JSON. */
export function answerSchema({ document }: Parity, operation: OperationDraft): Schema | 'text' | undefined {
  const statuses = Object.keys(operation.node.responses ?? {}).filter((code) => /^2\d\d$/.test(code));
  const responses = statuses.map((status) => responseOf(document, operation, Number(status)));
  const schema = responses.map((response) => jsonContent(response)?.schema).find((one) => one !== undefined);
  if (schema !== undefined) return schema;
  return responses.some((response) => Object.keys(response?.content ?? {}).length > 0) ? 'text' : undefined;
}

/**
 * The type of a custom field. What cannot be null over REST is not null, but a field of `Query` that takes ids may be,
 * as `book(id:)` is: null stands beside the error `NOT_FOUND`.
 */
export function answerText(
  parity: Parity,
  operation: OperationDraft,
  typeName: string,
  actual: GraphQLType | undefined,
): string {
  const schema = answerSchema(parity, operation);
  if (schema === undefined) return 'Boolean!';
  const type =
    schema === 'text'
      ? 'String'
      : typeText(parity.document, [schema], 'output', actual && (getNamedType(actual) as GraphQLType));
  if (schema !== 'text' && flattenSchema(parity.document, schema).nullable) return type;
  const mayBeMissing = typeName === parity.rootNames.query && operation.parameters.some((one) => one.in === 'path');
  return mayBeMissing && actual !== undefined && !String(actual).endsWith('!') ? type : `${type}!`;
}

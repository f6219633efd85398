import {
  HTTP_METHODS,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Schema,
} from '../../descriptor/document.ts';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import type { FieldError } from '../errors/api-error.ts';
import { dereference } from './reference.ts';

/** The operation of an id, and the Path Item Object that has it. */
export function operationNamed(
  { paths }: OpenApiDocument,
  operationId: string,
): { readonly item: PathItem; readonly operation: Operation } | undefined {
  for (const item of Object.values(paths)) {
    const operation = HTTP_METHODS.map((method) => item[method]).find((one) => one?.operationId === operationId);
    if (operation) return { item, operation };
  }
  return undefined;
}

/** The parameters of an operation and its path. Those of the operation take precedence (OpenAPI 3.1, 4.8.9.1). */
export function operationParameters(
  document: OpenApiDocument,
  item: PathItem,
  operation: Operation,
): readonly Parameter[] {
  const merged = new Map<string, Parameter>();
  for (const declared of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = dereference<Parameter>(document, declared);
    merged.set(`${parameter.in}:${parameter.name}`, parameter);
  }
  return [...merged.values()];
}

/** The schema of a parameter's value, in whichever way that is written. */
export const schemaOf = ({ schema, content = {} }: Parameter): Schema =>
  schema ?? Object.values(content)[0]?.schema ?? true;

/**
 * A fault in the value of a parameter, by the name that the caller used: `price[gte]` in a deepObject, `filter/or/0` in
 * JSON.
 */
export function parameterError(parameter: Parameter, error: FieldError): FieldError {
  const { in: place, name, style, content } = parameter;
  const pointer = 'pointer' in error ? error.pointer : '';
  const property = pointerTokens(pointer)[0];
  const inside = content ? pointer : property === undefined || style !== 'deepObject' ? '' : `[${property}]`;
  const written = name + inside;
  return place === 'header' ? { header: written, detail: error.detail } : { parameter: written, detail: error.detail };
}

import type { OpenApiDocument, Parameter } from '../../../../descriptor/document.ts';
import type { Role } from '../../../../descriptor/resource.ts';
import { ROLES } from '../../../../descriptor/roles.ts';
import { INT32_BOUNDS, SAFE_BOUNDS } from '../../../json-schema/integer-bounds.ts';
import { schemasOf } from '../../../json-schema/schemas-of.ts';
import type { ContractModel } from '../../../model/model.ts';
import { collectOperations } from '../../../model/operations.ts';
import { codesIn } from '../../../read/complete/problem-schemas.ts';
import { PLAIN_TEXTS, TEXTS_OF_FORMAT, TEXTS_OF_PARAMETER } from './accepted-texts.ts';

type Keywords = Record<string, unknown>;

/**
 * The document as the server acts on it, whatever of this it says: integers have the bounds of their format, objects are
 * closed unless they say otherwise, and what forbids nothing that the server would take is left out. Two contracts with
 * the same effective document are the same to clients.
 */
export function effectiveDocument(model: ContractModel): OpenApiDocument {
  const copy = effectiveValues(model);
  for (const schema of schemasOf(copy) as readonly Keywords[]) closeObject(schema);
  return copy;
}

/** The same with objects as they are written: several schemas may name the properties of one object together. */
export function effectiveValues({ document, operations }: ContractModel): OpenApiDocument {
  // Through JSON: what two places share must be two objects now.
  const copy: OpenApiDocument = JSON.parse(JSON.stringify(document));
  leaveOutErrorCodes(copy);
  const known = parameterTexts(copy, operations);
  for (const schema of schemasOf(copy) as readonly Keywords[]) {
    boundInteger(schema);
    leaveOutIdle(schema);
    if (includes(schema, 'string')) leaveOutWhatRefusesNone(schema, known.get(schema) ?? acceptedTexts(schema));
  }
  return copy;
}

/** Codes are rated by the operations that answer them; a success, such as that of a batch, may have a problem within it. */
function leaveOutErrorCodes(document: OpenApiDocument): void {
  const schema = codesIn(document) as Keywords | undefined;
  if (schema) delete schema['enum'];
}

const includes = ({ type }: Keywords, name: string): boolean => [type].flat().includes(name);

/** JSON numbers are exact up to 2^53 - 1; beyond it, and beyond 32 bits for `int32`, the server refuses them. */
function boundInteger(schema: Keywords): void {
  if (!includes(schema, 'integer') || includes(schema, 'number')) return;
  const { minimum, maximum } = schema['format'] === 'int32' ? INT32_BOUNDS : SAFE_BOUNDS;
  schema['minimum'] = Math.max(minimum, numberOr(schema['minimum'], minimum));
  schema['maximum'] = Math.min(maximum, numberOr(schema['maximum'], maximum));
  if (schema['multipleOf'] === 1) delete schema['multipleOf'];
}

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf', '$ref'];

/** A property that no schema names is refused, and never answered. */
function closeObject(schema: Keywords): void {
  const isComposed = COMPOSITIONS.some((keyword) => keyword in schema);
  if (!isComposed && schema['unevaluatedProperties'] === false) {
    delete schema['unevaluatedProperties'];
    schema['additionalProperties'] ??= false;
  }
  if (!('properties' in schema) || 'additionalProperties' in schema || 'unevaluatedProperties' in schema) return;
  schema[isComposed ? 'unevaluatedProperties' : 'additionalProperties'] = false;
}

/** Formats that nobody checks, and limits of nothing, are words. */
function leaveOutIdle(schema: Keywords): void {
  const { format } = schema;
  if (typeof format === 'string' && !(includes(schema, 'string') && Object.hasOwn(TEXTS_OF_FORMAT, format)))
    delete schema['format'];
  for (const keyword of ['minLength', 'minItems', 'minProperties']) if (schema[keyword] === 0) delete schema[keyword];
  if (schema['uniqueItems'] === false) delete schema['uniqueItems'];
}

const acceptedTexts = ({ format }: Keywords): readonly string[] =>
  typeof format === 'string' ? TEXTS_OF_FORMAT[format]! : PLAIN_TEXTS;

/** Length counts code points, as JSON Schema does. */
function leaveOutWhatRefusesNone(schema: Keywords, texts: readonly string[]): void {
  const { pattern, minLength, maxLength } = schema;
  const expression = typeof pattern === 'string' ? expressionOf(pattern) : undefined;
  if (expression && texts.every((text) => expression.test(text))) delete schema['pattern'];
  if (typeof minLength === 'number' && texts.every((text) => [...text].length >= minLength)) delete schema['minLength'];
  if (typeof maxLength === 'number' && texts.every((text) => [...text].length <= maxLength)) delete schema['maxLength'];
}

function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** Whether an operation of a resource reads a parameter itself, by place and name. Custom operations take what they like. */
const IS_READ: Readonly<Record<string, (role: Role) => boolean>> = {
  'header:if-match': (role) => ROLES[role].heeds !== 'key',
  'header:if-none-match': (role) => ROLES[role].heeds !== 'key',
  'header:idempotency-key': (role) => ROLES[role].heeds === 'key',
  'query:cursor': (role) => role === 'list',
};

/** The texts that get through the server's own reading of a parameter, by the parameter's schema. */
function parameterTexts(
  document: OpenApiDocument,
  operations: ContractModel['operations'],
): ReadonlyMap<unknown, readonly string[]> {
  const actions = new Map(operations.map((operation) => [operation.operationId, operation.default?.action]));
  const found = new Map<unknown, readonly string[]>();
  const others = new Set<unknown>();
  for (const { operationId, parameters } of collectOperations(document))
    for (const parameter of parameters) {
      const key = keyOf(parameter);
      const action = actions.get(operationId);
      if (action && IS_READ[key]?.(action)) found.set(parameter.schema, TEXTS_OF_PARAMETER[key]!);
      else others.add(parameter.schema);
    }
  // A parameter that a custom operation shares is held to what that operation may take.
  for (const schema of others) found.delete(schema);
  return found;
}

const keyOf = ({ in: place, name }: Parameter): string => `${place}:${name.toLowerCase()}`;

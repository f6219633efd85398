import type { ErrorObject } from 'ajv';
import { childPointer } from '../../descriptor/json-pointer.ts';
import type { FieldError } from '../errors/api-error.ts';

/** The maximum number of faults that are looked for in one value. */
const MAX_FIELD_ERRORS = 200;

type Params = Readonly<Record<string, unknown>>;

/** Converts errors of Ajv to faults for callers, without duplicates, in their order, 200 at most. */
export function toFieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const seen = new Map<string, FieldError>();
  for (const error of withoutBranches(errors)) {
    const detail = detailOf(error);
    if (detail === undefined) continue;
    const pointer = pointerOf(error);
    seen.set(`${pointer} ${detail}`, { pointer, detail });
    if (seen.size === MAX_FIELD_ERRORS) break;
  }
  return [...seen.values()];
}

/**
 * If no branch of a union matches, only the error of the union is kept: the errors of all branches would be noise. They
 * come right before the error of the union, at the same place or below.
 */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'oneOf' || error.keyword === 'anyOf') {
      const siblings = error.schemaPath.slice(0, -error.keyword.length);
      const isBranch = (other: ErrorObject) =>
        isAtOrBelow(other.instancePath, error.instancePath) &&
        (other.schemaPath.startsWith(error.schemaPath) || !other.schemaPath.startsWith(siblings));
      while (kept.length > 0 && isBranch(kept.at(-1)!)) kept.pop();
    }
    kept.push(error);
  }
  return kept;
}

const isAtOrBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

function pointerOf({ keyword, instancePath, params }: ErrorObject): string {
  const name = propertyOf(keyword, params);
  return name === undefined ? instancePath : childPointer(instancePath, name);
}

function propertyOf(keyword: string, params: Params): string | undefined {
  if (keyword === 'required' || keyword === 'dependentRequired') return params.missingProperty as string;
  if (keyword === 'additionalProperties') return params.additionalProperty as string;
  if (keyword === 'unevaluatedProperties') return params.unevaluatedProperty as string;
  if (keyword === 'propertyNames') return params.propertyName as string;
  return undefined;
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a date (YYYY-MM-DD)',
  'date-time': 'a date and time (RFC 3339, without leap seconds)',
  'date-time-local': 'a date and time without a zone (YYYY-MM-DDThh:mm:ss)',
  email: 'an e-mail address',
  uri: 'an absolute URI',
  int64: 'a 64-bit integer in digits',
  decimal: 'a decimal number in digits',
};

/** What a text in a format is: `a UUID`. */
export const describeFormat = (format: string): string => FORMATS[format] ?? `of the format ${format}`;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** What the value must be. Undefined: another error reports the fault. */
function detailOf({ keyword, params }: ErrorObject): string | undefined {
  const limit = (params as Params).limit as number;
  switch (keyword) {
    case 'if':
      return undefined;
    case 'required':
      return 'is required';
    case 'dependentRequired':
      return `is required beside ${params.property}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known property';
    case 'false schema':
      return 'must not be present here';
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => TYPES[type] ?? type)
        .join(' or ')}`;
    case 'enum':
      return `must be ${oneOf(params.allowedValues)}`;
    case 'const':
      return `must be ${literal(params.allowedValue)}`;
    case 'format':
      return `must be ${describeFormat(params.format)}`;
    case 'pattern':
      return `must match the pattern ${params.pattern}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`;
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}`;
    case 'minProperties':
      return `must have at least ${counted(limit, 'property', 'properties')}`;
    case 'maxProperties':
      return `must have at most ${counted(limit, 'property', 'properties')}`;
    case 'uniqueItems':
      return `must not repeat items (${params.j} and ${params.i} are equal)`;
    case 'propertyNames':
      return 'is not a valid property name';
    case 'oneOf':
      return params.passingSchemas ? 'must match only one of the alternatives' : 'must match one of the alternatives';
    case 'anyOf':
      return 'must match one of the alternatives';
    case 'not':
      return 'must not be of this form';
    default:
      return `must satisfy ${keyword}`;
  }
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1
    ? literal(values[0])
    : `one of ${values.slice(0, 20).map(literal).join(', ')}${values.length > 20 ? ', …' : ''}`;

const literal = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

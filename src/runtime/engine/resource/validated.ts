import { idProperty, operationsOf, type ResourceDescriptor, readKeys } from '../../../descriptor/resource.ts';
import type { ParameterDescriptor, RestDescriptor } from '../../../descriptor/rest.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import { MAX_LISTED_FAULTS, omitted, shortened } from '../../errors/bounded.ts';
import { parameterError } from '../../schema/parameter-error.ts';
import type { SchemaRegistry, Validate } from '../../schema/schema-registry.ts';
import type { ResourceActions } from '../interface/engine.ts';

/** The input, once it is known to match the contract. Throws `VALIDATION_FAILED` with every error in it. */
export function validated<T>(validate: Validate, input: unknown): T {
  const errors = validate(input);
  if (errors) throw validationFailed(errors);
  return input as T;
}

/** The error that lists the faults, the first of them and the first characters of their places when there are many. */
export function validationFailed(errors: readonly FieldError[]): ApiError {
  const left = errors.length - MAX_LISTED_FAULTS;
  const detail = `The request does not match the contract.${left > 0 ? ` ${omitted(left)}` : ''}`;
  return new ApiError('VALIDATION_FAILED', { detail, errors: errors.slice(0, MAX_LISTED_FAULTS).map(withShortPlace) });
}

/** Longest pointer, name of a parameter or path into arguments in an answer, in characters. */
const MAX_PLACE_CHARACTERS = 500;

function withShortPlace(error: FieldError): FieldError {
  if ('pointer' in error) return { ...error, pointer: shortened(error.pointer, MAX_PLACE_CHARACTERS) };
  if ('parameter' in error) return { ...error, parameter: shortened(error.parameter, MAX_PLACE_CHARACTERS) };
  if ('argument' in error) return { ...error, argument: shortened(error.argument, MAX_PLACE_CHARACTERS) };
  return error;
}

type Faults = () => readonly FieldError[] | undefined;
type Values = Readonly<Record<string, unknown>>;

/** Validates decoded parameters of a resource's calls against the contract. */
export interface CallChecks {
  /** Throws `VALIDATION_FAILED`, which also lists what else is wrong with a call whose parameters are. */
  params(params: Values, others?: Faults): void;
  /** Throws `VALIDATION_FAILED`. */
  query(query: Values): void;
}

export function callChecks(
  resource: ResourceDescriptor,
  { operations }: RestDescriptor,
  schemas: SchemaRegistry,
): CallChecks {
  const parametersOf = (id: string | undefined): readonly ParameterDescriptor[] =>
    operations.find(({ operationId }) => operationId === id)?.parameters ?? [];
  const ids = operationsOf(resource).map(({ operationId }) => operationId);
  const ofPaths = ids.flatMap(parametersOf).filter((parameter) => parameter.in === 'path');
  const inPath = [...(readKeys(resource).slice(1).includes('id') ? [idParameter(resource)] : []), ...ofPaths];
  const inQuery = parametersOf(resource.actions.list?.operationId).filter(({ in: place }) => place === 'query');
  return { params: checker(inPath, schemas), query: checker(inQuery, schemas) };
}

/** The id of a resource whose paths have another key: only GraphQL asks for it. */
function idParameter(resource: ResourceDescriptor): ParameterDescriptor {
  const { type } = idProperty(resource);
  const schema = type === 'integer' ? { type } : { type: 'string', ...(type !== 'string' && { format: type }) };
  return { name: 'id', in: 'path', required: true, schema, kind: 'text' };
}

export function checker(
  parameters: readonly ParameterDescriptor[],
  schemas: SchemaRegistry,
): (values: Values, others?: Faults) => void {
  const checks = new Map(parameters.map((parameter) => [parameter.name, check(parameter, schemas)]));
  return (values, others) => {
    const errors: FieldError[] = [];
    for (const name in values) errors.push(...(checks.get(name)?.(values[name]) ?? []));
    if (errors.length > 0) throw validationFailed([...errors, ...(others?.() ?? [])]);
  };
}

function check(parameter: ParameterDescriptor, schemas: SchemaRegistry): Validate {
  const validate = schemas.input(parameter.schema);
  return (value) => validate(value)?.map((error) => parameterError(parameter, error));
}

/** Checks the path parameters of a call, for protocols whose router does not, with the input that comes with them. */
export const paramsCheck =
  ({ checks, validateInput, validatePatch }: CheckedCalls): ResourceActions['checkParams'] =>
  (params, action, input) =>
    checks.params(params, action && (() => (action === 'update' ? validatePatch(input) : validateInput(input))));

interface CheckedCalls {
  readonly checks: CallChecks;
  readonly validateInput: Validate;
  readonly validatePatch: Validate;
}

import type { OpenApiDocument, Parameter } from '../../../descriptor/document.ts';
import { ACTIONS, idProperty, type ResourceDescriptor, readKeys } from '../../../descriptor/resource.ts';
import type { FieldError } from '../../errors/api-error.ts';
import { operationNamed, operationParameters, parameterError, schemaOf } from '../../schema/operation-parameters.ts';
import type { SchemaRegistry, Validate } from '../../schema/schema-registry.ts';
import { validationFailed } from './validated.ts';

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
  document: OpenApiDocument,
  schemas: SchemaRegistry,
): CallChecks {
  const { actions, lookups = [] } = resource;
  const parametersOf = parametersByOperation(document);
  const ids = ACTIONS.map((action) => actions[action]?.operationId).filter((id) => id !== undefined);
  const operations = [...ids, ...lookups.map(({ operationId }) => operationId)];
  const ofPaths = operations.flatMap((id) => parametersOf(id)).filter((parameter) => parameter.in === 'path');
  const inPath = [...(readKeys(resource).slice(1).includes('id') ? [idParameter(resource)] : []), ...ofPaths];
  const inQuery = actions.list
    ? parametersOf(actions.list.operationId).filter(({ in: place }) => place === 'query')
    : [];
  return { params: checker(inPath, schemas), query: checker(inQuery, schemas) };
}

/** The id of a resource whose paths have another key: only GraphQL asks for it. */
function idParameter(resource: ResourceDescriptor): Parameter {
  const { type } = idProperty(resource);
  const schema = type === 'integer' ? { type } : { type: 'string', ...(type !== 'string' && { format: type }) };
  return { name: 'id', in: 'path', required: true, schema };
}

function parametersByOperation(document: OpenApiDocument): (operationId: string) => readonly Parameter[] {
  return (operationId) => {
    const found = operationNamed(document, operationId);
    return found ? operationParameters(document, found.item, found.operation) : [];
  };
}

function checker(parameters: readonly Parameter[], schemas: SchemaRegistry): (values: Values, others?: Faults) => void {
  const checks = new Map(parameters.map((parameter) => [parameter.name, check(parameter, schemas)]));
  return (values, others) => {
    const errors: FieldError[] = [];
    for (const name in values) errors.push(...(checks.get(name)?.(values[name]) ?? []));
    if (errors.length > 0) throw validationFailed([...errors, ...(others?.() ?? [])]);
  };
}

function check(parameter: Parameter, schemas: SchemaRegistry): Validate {
  const validate = schemas.input(schemaOf(parameter));
  return (value) => validate(value)?.map((error) => parameterError(parameter, error));
}

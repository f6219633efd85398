import { BODY_INPUT, inputName } from '../../descriptor/operation-inputs.ts';
import type { OperationDescriptor, ParameterDescriptor } from '../../descriptor/rest.ts';
import { validationFailed } from '../engine/resource/validated.ts';
import type { FieldError } from '../errors/api-error.ts';
import { parameterError, parameterFault } from '../schema/parameter-error.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';

/** The inputs of an operation, by their names in the document. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Checks inputs, and sets their defaults. Adds each fault. */
type Check = (inputs: Record<string, unknown>, faults: FieldError[]) => void;

/**
 * Checks the inputs of an operation as REST checks requests, and sets their defaults, for protocols whose router does not. Throws
 * `VALIDATION_FAILED` with every fault.
 */
export function createInputCheck(operation: OperationDescriptor, schemas: SchemaRegistry): (inputs: Inputs) => void {
  const checks = [
    ...operation.parameters.flatMap((one) => parameterCheck(one, schemas)),
    bodyCheck(operation, schemas),
  ];
  return (inputs) => {
    const faults: FieldError[] = [];
    for (const check of checks) check(inputs as Record<string, unknown>, faults);
    if (faults.length > 0) throw validationFailed(faults);
  };
}

function parameterCheck(parameter: ParameterDescriptor, schemas: SchemaRegistry): readonly Check[] {
  const name = inputName(parameter);
  if (name === undefined) return [];
  const validate = schemas.input(parameter.schema);
  const check: Check = (inputs, faults) => {
    const value = inputs[name];
    if (value !== undefined) faults.push(...(validate(value) ?? []).map((error) => parameterError(parameter, error)));
    else if ('default' in parameter) inputs[name] = parameter.default;
    else if (parameter.required) faults.push(parameterFault(parameter, parameter.name, 'is required'));
  };
  return [check];
}

function bodyCheck({ requestBody }: OperationDescriptor, schemas: SchemaRegistry): Check {
  const [media] = Object.values(requestBody?.content ?? {});
  const validate = media?.schema === undefined ? undefined : schemas.input(media.schema, { defaults: true });
  return ({ [BODY_INPUT]: body }, faults) => {
    if (body !== undefined) faults.push(...(validate?.(body) ?? []));
    else if (requestBody?.required) faults.push({ pointer: '', detail: 'is required' });
  };
}

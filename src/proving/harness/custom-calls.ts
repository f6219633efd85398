import type { ValueSchema } from '../../compiler/json-schema/index.ts';
import { successesOf } from '../../descriptor/operation-inputs.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OperationDescriptor, ParameterDescriptor } from '../../descriptor/rest.ts';
import type { Random } from '../../tools/random.ts';
import type { Caller } from './callers.ts';
import type { Inputs, Referable } from './inputs.ts';
import type { WireRequest } from './request.ts';
import { fieldsOf, type RestRequests } from './rest-requests.ts';

const OPTIONAL = 0.6;

/** What a custom operation is called with: parameters by name, decoded, and the body. */
export interface CustomCall {
  readonly operation: OperationDescriptor;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What calls are made of. */
export interface CallSource {
  readonly resources: readonly ResourceDescriptor[];
  readonly inputs: Inputs;
  readonly random: Random;
  readonly rows: Referable;
}

/** A call that the schemas allow; undefined for an operation that demands what is not made here, such as a file. */
export function sampleCall(operation: OperationDescriptor, source: CallSource): CustomCall | undefined {
  const { parameters, requestBody } = operation;
  if (parameters.some((one) => one.required === true && !isMade(one))) return undefined;
  const body = bodySchema(operation);
  if (requestBody?.required && !body) return undefined;
  const given = parameters.filter((one) => isMade(one) && (one.required || source.random.chance(OPTIONAL)));
  const values = given
    .map((one) => [one.name, valueFor(one, source)] as const)
    .filter(([, value]) => isSendable(value));
  const sent = new Set(values.map(([name]) => name));
  if (parameters.some(({ name, required }) => required === true && !sent.has(name))) return undefined;
  return { operation, parameters: Object.fromEntries(values), body: body && source.inputs.valueOf(body) };
}

/** Whether a tool answers with a status, as its operation has several successes. */
export const hasSeveralSuccesses = ({ responses }: OperationDescriptor): boolean => successesOf(responses).length > 1;

/** The schema of a body of JSON. */
export const bodySchema = ({ requestBody }: OperationDescriptor): ValueSchema | undefined =>
  requestBody?.content['application/json']?.schema as ValueSchema | undefined;

/** The id of a row where a path parameter is that of a resource. */
function valueFor({ in: place, name, schema }: ParameterDescriptor, { resources, rows, inputs }: CallSource): unknown {
  const resource = place === 'path' && resources.find(({ idParameter }) => idParameter === name);
  const id = resource ? rows.anyId(resource.key) : undefined;
  return id ?? inputs.valueOf(schema as ValueSchema | undefined);
}

/** The request of REST for a call. */
export function callRequest(
  rest: RestRequests,
  { operation, parameters, body }: CustomCall,
  caller: Caller,
): WireRequest {
  const query = operation.parameters.flatMap((parameter) => {
    const { in: place, name } = parameter;
    const explode = !('explode' in parameter) || parameter.explode;
    return place === 'query' ? fieldsOf(name, parameters[name], explode) : [];
  });
  return rest.to(operation, { params: parameters, query, body }, caller);
}

/** Path and query parameters in the styles that they have by default; header fields and cookies are left out. */
function isMade(parameter: ParameterDescriptor): boolean {
  const { in: place, kind, schema } = parameter;
  if (kind === 'json' || schema === true || (place !== 'path' && place !== 'query')) return false;
  return kind === 'text' || (place === 'path' ? ['simple'] : ['form', 'deepObject']).includes(parameter.style);
}

/** Whether a URL has a form for a value: it has none for null, an empty list, and a list whose entries contain commas. */
export function isSendable(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && value.every((one) => isSendable(one) && !String(one).includes(','));
  return value !== undefined && value !== null && value !== '';
}

import type { ValueSchema } from '../../compiler/json-schema/value-schema.ts';
import { basePathOf } from '../../descriptor/base-path.ts';
import type { OpenApiDocument, Parameter } from '../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { RestOperation } from '../../runtime/rest/operation.ts';
import type { Random } from '../synthetic/random.ts';
import type { Caller } from './callers.ts';
import type { Inputs, Referable } from './inputs.ts';
import type { WireRequest } from './request.ts';

const JSON_TYPE = 'application/json';
const OPTIONAL = 0.6;

/** What a custom operation is called with: parameters by name, decoded, and the body. */
export interface CustomCall {
  readonly operation: RestOperation;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface CustomCallsOptions {
  readonly document: OpenApiDocument;
  readonly resources: readonly ResourceDescriptor[];
  readonly inputs: Inputs;
  readonly random: Random;
  readonly rows: Referable;
}

/** Makes calls of custom operations, and the requests of REST for them. */
export class CustomCalls {
  readonly #options: CustomCallsOptions;

  constructor(options: CustomCallsOptions) {
    this.#options = options;
  }

  /** A call that the schemas allow; undefined for an operation that demands what is not made here, such as a file. */
  sample(operation: RestOperation): CustomCall | undefined {
    const { inputs, random } = this.#options;
    const { parameters, requestBody } = operation;
    if (parameters.some((one) => one.required === true && !isMade(one))) return undefined;
    const body = requestBody?.content?.[JSON_TYPE]?.schema as ValueSchema | undefined;
    if (requestBody?.required && !body) return undefined;
    const given = parameters.filter((one) => isMade(one) && (one.required || random.chance(OPTIONAL)));
    const values = given.map((one) => [one.name, this.#valueOf(one)] as const).filter(([, value]) => isSendable(value));
    const sent = new Set(values.map(([name]) => name));
    if (parameters.some(({ name, required }) => required === true && !sent.has(name))) return undefined;
    return {
      operation,
      parameters: Object.fromEntries(values),
      body: body && inputs.valueOf(body),
    };
  }

  /** The id of a row where a path parameter is that of a resource. */
  #valueOf({ in: place, name, schema }: Parameter): unknown {
    const { resources, rows, inputs } = this.#options;
    const resource = place === 'path' && resources.find(({ idParameter }) => idParameter === name);
    const id = resource ? rows.anyId(resource.key) : undefined;
    return id ?? inputs.valueOf(schema as ValueSchema | undefined);
  }

  request({ operation, parameters, body }: CustomCall, { authorization }: Caller): WireRequest {
    const { method, path } = operation;
    const url = path.replaceAll(/\{([^}]+)\}/g, (_, name) => encoded(parameters[name]));
    const query = operation.parameters.flatMap((one) => (one.in === 'query' ? queryOf(one, parameters[one.name]) : []));
    return {
      method: method.toUpperCase() as WireRequest['method'],
      url: `${basePathOf(this.#options.document)}${url}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': JSON_TYPE }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
  }
}

/** Path and query parameters in the styles that they have by default; header fields and cookies are left out. */
const isMade = ({ in: place, schema, style }: Parameter): boolean =>
  schema !== undefined &&
  ((place === 'path' && (style ?? 'simple') === 'simple') ||
    (place === 'query' && ['form', 'deepObject'].includes(style ?? 'form')));

/** Whether a URL has a form for a value: there is none for null, an empty list, and a list whose entries contain commas. */
export function isSendable(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && value.every((one) => isSendable(one) && !String(one).includes(','));
  return value !== undefined && value !== null && value !== '';
}

function queryOf({ name, explode = true }: Parameter, value: unknown): string[] {
  const key = encodeURIComponent(name);
  if (value === undefined) return [];
  if (Array.isArray(value) && explode) return value.map((one) => `${key}=${encoded(one)}`);
  if (Array.isArray(value)) return [`${key}=${value.map(encoded).join(',')}`];
  if (typeof value !== 'object' || value === null) return [`${key}=${encoded(value)}`];
  return Object.entries(value).map(([member, one]) => `${encodeURIComponent(`${name}[${member}]`)}=${encoded(one)}`);
}

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed());

import type { Access } from '../../descriptor/access.ts';
import {
  HTTP_METHODS,
  type HttpMethod,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type RequestBody,
  type Response,
  type SecurityRequirement,
} from '../../descriptor/document.ts';
import { sentShape } from '../../descriptor/sent-path.ts';
import { operationParameters } from '../schema/operation-parameters.ts';
import { dereference } from '../schema/reference.ts';

/** An operation of the document with everything it inherits, its references resolved. */
export interface RestOperation {
  readonly operationId: string;
  readonly method: HttpMethod;
  /** As in the document: `/orders/{orderId}`. */
  readonly path: string;
  /** The path's parameters and the operation's, merged. */
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  /** By status as the document spells it: `200`, `4XX`, `default`. */
  readonly responses: ReadonlyMap<string, Response>;
  readonly access: Access;
  /** Codes that the responses declare (`x-error-codes`); undefined if they declare none. */
  readonly errorCodes: ReadonlySet<string> | undefined;
  readonly deprecated: boolean;
  /** ISO 8601 date (`x-deprecated-since`). */
  readonly deprecatedSince: string | undefined;
  /** ISO 8601 date (`x-sunset`). */
  readonly sunset: string | undefined;
  /** URL of its documentation (`externalDocs`). */
  readonly docs: string | undefined;
  /** Path of the successor version. */
  readonly successor: string | undefined;
}

/** All operations of a bundled document, in its order. Throws for one without an operationId. */
export function readOperations(document: OpenApiDocument): readonly RestOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    HTTP_METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [readOperation(document, path, item, method, operation)] : [];
    }),
  );
}

/**
 * Those that requests can name. What follows `#` in a path is never sent (RFC 9110, 4.2.5), and names of parameters are not
 * either: of operations of one method and path the first one is served, and one without a `#` before one with it.
 */
export function reachableOperations(operations: readonly RestOperation[]): readonly RestOperation[] {
  const served = new Map<string, RestOperation>();
  for (const operation of operations) {
    const { method, path } = operation;
    const key = `${method} ${sentShape(path)}`;
    const known = served.get(key);
    if (!known || (known.path.includes('#') && !path.includes('#'))) served.set(key, operation);
  }
  const reachable = new Set(served.values());
  return operations.filter((operation) => reachable.has(operation));
}

function readOperation(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  method: HttpMethod,
  operation: Operation,
): RestOperation {
  if (!operation.operationId) throw new Error(`${method.toUpperCase()} ${path} has no operationId`);
  const responses = readResponses(document, operation);
  return {
    operationId: operation.operationId,
    method,
    path,
    parameters: operationParameters(document, item, operation),
    requestBody: operation.requestBody && dereference<RequestBody>(document, operation.requestBody),
    responses,
    access: accessOf(operation.security ?? document.security ?? []),
    errorCodes: errorCodesOf(responses),
    deprecated: operation.deprecated === true,
    deprecatedSince: operation['x-deprecated-since'],
    sunset: operation['x-sunset'],
    docs: operation.externalDocs?.url,
    successor: operation['x-successor'] as string | undefined,
  };
}

function readResponses(document: OpenApiDocument, operation: Operation): ReadonlyMap<string, Response> {
  const entries = Object.entries(operation.responses ?? {}).filter(([status]) => !status.startsWith('x-'));
  return new Map(entries.map(([status, response]) => [status, dereference<Response>(document, response)]));
}

/** What a document declares for a status: that of the status, its range, or the default (OpenAPI 3.1, 4.8.16). */
export function declaredFor<T>(responses: ReadonlyMap<string, T>, status: number): T | undefined {
  return responses.get(String(status)) ?? responses.get(`${Math.trunc(status / 100)}XX`) ?? responses.get('default');
}

function accessOf(security: readonly SecurityRequirement[]): Access {
  return {
    anyOf: security.map((requirement) => ({
      schemes: Object.entries(requirement).map(([name, scopes]) => ({ name, scopes })),
    })),
  };
}

function errorCodesOf(responses: ReadonlyMap<string, Response>): ReadonlySet<string> | undefined {
  const codes = [...responses.values()].flatMap((response) => {
    const declared = (response as Readonly<Record<string, unknown>>)['x-error-codes'];
    return Array.isArray(declared) ? (declared as string[]) : [];
  });
  return codes.length > 0 ? new Set(codes) : undefined;
}

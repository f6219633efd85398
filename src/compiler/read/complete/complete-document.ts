import { isDeepStrictEqual } from 'node:util';
import type {
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Reference,
  Response,
  Schema,
} from '../../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../../descriptor/error.ts';
import { isReference, resolveReference } from '../../json-schema/references.ts';
import { listedCodes } from '../../model/errors/catalogue.ts';
import { collectOperations } from '../../model/operations.ts';
import type { DecidedOperation } from './decided-operation.ts';
import {
  codesByStatus,
  errorResponse,
  errorResponseName,
  extendedResponse,
  PROBLEM_TYPE,
  TRANSPORT_CODES,
} from './error-responses.ts';
import { boundedParameters } from './filter-bounds.ts';
import { headersOfStatus, SHARED_HEADERS, withHeaders } from './implied-headers.ts';
import { addImpliedPatterns, type Completed } from './implied-patterns.ts';
import { type IncludedSchemas, withProperties } from './included-schemas.ts';
import { removePatchDefaults } from './patch-defaults.ts';
import { errorCodeSchema, problemNames, problemSchema } from './problem-schemas.ts';
import { headersWithPatterns, withRequestHeaders } from './request-headers.ts';
import { successResponses } from './success-responses.ts';

type Responses = Record<string, Response | Reference>;

/**
 * The document, completed with what the conventions imply and the author may leave out: operationIds, error schemas,
 * the error responses of each operation, the 304 responses of actions, the header fields of all responses, and the bounds of
 * filters by integers, the header fields that actions read, what may be included in rows, the patterns of what is always refused;
 * and without defaults in merge patches.
 */
export function completeDocument(
  document: OpenApiDocument,
  errors: ErrorCatalogue,
  operations: readonly DecidedOperation[],
  included: IncludedSchemas = {},
): Completed {
  const shared: Responses = { ...document.components?.responses };
  const parameters = headersWithPatterns(document, operations);
  const complete = (decided: DecidedOperation): Operation => ({
    ...decided.draft.node,
    ...parametersOf(document, parameters, decided),
    operationId: decided.draft.operationId,
    responses: {
      ...successResponses(document, decided),
      ...errorResponses(document, errors, shared, decided),
    },
  });
  const paths = completePaths(document, operations, complete);
  const components = {
    ...document.components,
    schemas: completeSchemas(document, errors, included),
    responses: shared as Record<string, Response>,
    ...(Object.keys(parameters).length > 0 && { parameters }),
    headers: { ...SHARED_HEADERS, ...document.components?.headers },
  };
  // Through JSON: what two places share must be two objects now.
  const copy: OpenApiDocument = JSON.parse(JSON.stringify({ ...document, paths, components }));
  const completed = { document: copy, operations: collectOperations(copy) };
  removePatchDefaults(completed);
  addImpliedPatterns(completed);
  return completed;
}

function parametersOf(
  document: OpenApiDocument,
  shared: Record<string, Parameter>,
  decided: DecidedOperation,
): Pick<Operation, 'parameters'> {
  const { draft, listed } = decided;
  const own = listed ? boundedParameters(document, draft, listed) : draft.node.parameters;
  const parameters = withRequestHeaders(shared, decided, own);
  return parameters ? { parameters } : {};
}

function completePaths(
  document: OpenApiDocument,
  operations: readonly DecidedOperation[],
  complete: (decided: DecidedOperation) => Operation,
): OpenApiDocument['paths'] {
  const byPath = Map.groupBy(operations, ({ draft }) => draft.path);
  return Object.fromEntries(
    Object.entries(document.paths ?? {}).map(([path, item]) => {
      const decided = byPath.get(path) ?? [];
      const completed = decided.map((one) => [one.draft.method, complete(one)]);
      return [path, { ...resolveReference<PathItem>(document, item), ...Object.fromEntries(completed) }];
    }),
  );
}

function completeSchemas(
  document: OpenApiDocument,
  errors: ErrorCatalogue,
  included: IncludedSchemas,
): Record<string, Schema> {
  const schemas = document.components?.schemas ?? {};
  const names = problemNames(document);
  const including = Object.entries(included).map(([name, added]) => [name, withProperties(schemas[name], added)]);
  return {
    ...schemas,
    ...Object.fromEntries(including),
    [names.errorCode]: schemas[names.errorCode] ?? errorCodeSchema(errors),
    [names.problem]: schemas[names.problem] ?? problemSchema(names),
  };
}

/** The operation's error responses, by status. Responses made here are added to `shared` and referred to. */
function errorResponses(
  document: OpenApiDocument,
  errors: ErrorCatalogue,
  shared: Responses,
  { draft, model }: DecidedOperation,
): Responses {
  const { problem } = problemNames(document);
  const byStatus = codesByStatus(errors, new Set([...model.errorCodes, ...TRANSPORT_CODES]));
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const headers = headersOfStatus(String(status));
      const declared = draft.node.responses?.[status];
      const response = draft.responses.get(String(status));
      if (declared === undefined || response === undefined) {
        const made = withHeaders(document, errorResponse(errors, problem, codes), headers);
        return [status, share(shared, errorResponseName(codes), made as Response)];
      }
      const known = new Set(listedCodes(response));
      const hasProblem = response.content?.[PROBLEM_TYPE] !== undefined;
      const whole = hasProblem && codes.every((code) => known.has(code));
      return [status, withHeaders(document, whole ? declared : extendedResponse(response, problem, codes), headers)];
    }),
  );
}

/** Adds a response under its name, or the next free one, and returns the reference to it. */
function share(shared: Responses, name: string, response: Response): Reference {
  const taken = shared[name];
  if (taken !== undefined && (isReference(taken) || !isDeepStrictEqual(taken, response))) {
    return share(shared, `${name}Problem`, response);
  }
  shared[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { parseJson, parseJsonText } from '../../http/json-body.ts';
import type { GraphqlRequest } from '../endpoint/request.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** The GraphQL request that an HTTP request carries. Throws `MALFORMED_REQUEST`, `UNSUPPORTED_MEDIA_TYPE`. */
export function readGraphqlRequest(request: FastifyRequest): GraphqlRequest {
  return request.method === 'POST' ? parametersOf(bodyOf(request)) : parametersOf(queryOf(request));
}

function bodyOf({ body }: FastifyRequest): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw malformed('The request has no body.');
  return parseJson(body);
}

function queryOf({ query }: FastifyRequest): unknown {
  const { variables, extensions, ...rest } = query as Readonly<Record<string, string | undefined>>;
  return { ...rest, variables: fromJson(variables, 'variables'), extensions: fromJson(extensions, 'extensions') };
}

const fromJson = (text: unknown, name: string): unknown =>
  typeof text === 'string' && text !== '' ? parseJsonText(text, `\`${name}\``) : undefined;

/** A parameter that is null is absent, and one of another type is an error (GraphQL over HTTP, 5.1). */
export function parametersOf(given: unknown): GraphqlRequest {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw malformed('The request must be one JSON object; batches are not supported.');
  const { query, operationName, variables, extensions, documentId } = given as Parameters;
  return {
    // Messages of sockets must have a query, even if it is empty.
    query: text(query, 'query') || undefined,
    operationName: text(operationName, 'operationName') || undefined,
    variables: object(variables, 'variables'),
    extensions: object(extensions, 'extensions'),
    documentId: text(documentId, 'documentId'),
  };
}

function text(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw malformed(`\`${name}\` must be a string.`);
}

function object(value: unknown, name: string): Parameters | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value as Parameters;
  throw malformed(`\`${name}\` must be an object.`);
}

const malformed = (detail: string): ApiError => new ApiError('MALFORMED_REQUEST', { detail });

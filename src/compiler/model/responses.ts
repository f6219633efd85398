import type { MediaType, OpenApiDocument, RequestBody, Response } from '../../descriptor/document.ts';
import { resolveReference } from '../json-schema/references.ts';
import type { OperationDraft } from './draft.ts';

const JSON_TYPE = 'application/json';

/** The responses of a document that have names. */
export const namedResponses = ({ components }: OpenApiDocument): Readonly<Record<string, Response>> =>
  components?.responses ?? {};

/** The Response Object of a status, with references resolved. */
export function responseOf(document: OpenApiDocument, operation: OperationDraft, status: number): Response | undefined {
  return resolveReference<Response>(document, operation.node.responses?.[status]);
}

export function requestBodyOf(document: OpenApiDocument, operation: OperationDraft): RequestBody | undefined {
  return resolveReference<RequestBody>(document, operation.node.requestBody);
}

/** The `application/json` Media Type Object of a body, whatever its parameters such as `charset`. */
export function jsonContent(body: { readonly content?: Readonly<Record<string, MediaType>> } | undefined) {
  const entry = Object.entries(body?.content ?? {}).find(([type]) => type.split(';')[0]?.trim() === JSON_TYPE);
  return entry?.[1];
}

import type { MediaType, OpenApiDocument, Response } from '../../descriptor/document.ts';

const JSON_TYPE = 'application/json';

/** The responses of a document that have names. */
export const namedResponses = ({ components }: OpenApiDocument): Readonly<Record<string, Response>> =>
  components?.responses ?? {};

/** The `application/json` Media Type Object of a body, whatever its parameters such as `charset`. */
export function jsonContent(body: { readonly content?: Readonly<Record<string, MediaType>> } | undefined) {
  const entry = Object.entries(body?.content ?? {}).find(([type]) => type.split(';')[0]?.trim() === JSON_TYPE);
  return entry?.[1];
}

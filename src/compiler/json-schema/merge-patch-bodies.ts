import { HTTP_METHODS, type MediaType, type OpenApiDocument, type RequestBody } from '../../descriptor/document.ts';
import { isSchemaObject } from './flat-schema.ts';
import { resolveReference } from './references.ts';

const MERGE_PATCH = /^application\/merge-patch\+json\b/i;

/** The Media Type Objects of merge patches (RFC 7396), and of what the same bodies may be beside them. */
export function mergePatchBodies(document: OpenApiDocument): readonly MediaType[] {
  const bodies = Object.values(document.paths ?? {}).flatMap((declared) => {
    const item = resolveReference<typeof declared>(document, declared);
    return HTTP_METHODS.map((method) => resolveReference<RequestBody>(document, item?.[method]?.requestBody));
  });
  return [...new Set(bodies)].flatMap((body) => {
    const content: Readonly<Record<string, MediaType>> = isSchemaObject(body?.content) ? body.content : {};
    return Object.keys(content).some((type) => MERGE_PATCH.test(type)) ? Object.values(content) : [];
  });
}

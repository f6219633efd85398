import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { HEADER } from './print.ts';
import { sealedDocument } from './sealed-document.ts';

/** `types/openapi.ts`: a document's schemas and operations as TypeScript (openapi-typescript). */
export async function openapiTypes(document: OpenApiDocument): Promise<string> {
  const ast = await openapiTS(sealedDocument(document) as unknown as OpenAPI3, {
    readWriteMarkers: true,
    defaultNonNullable: false,
    silent: true,
  });
  return `${HEADER}\n${astToString(ast)}`;
}

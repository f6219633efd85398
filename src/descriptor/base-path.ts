import type { OpenApiDocument } from './document.ts';

/** Path of the API's version below the host (`/v1`), from the first server; empty when there is none. */
export function basePathOf({ servers }: Pick<OpenApiDocument, 'servers'>): string {
  return URL.parse(servers?.[0]?.url ?? '', 'http://host')?.pathname.replace(/\/+$/, '') ?? '';
}

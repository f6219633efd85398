import type { OperationModel } from '../../../compiler/model/model.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { tagOf } from './rest-markdown.ts';

/** The path of an operation in the site; the console of the reference opens it. */
export const operationPath = (document: OpenApiDocument, operation: OperationModel): string =>
  `docs/rest.html#${operationFragment(document, operation)}`;

/** The fragment of an operation on that page. */
export function operationFragment(document: OpenApiDocument, { operationId, method, path }: OperationModel): string {
  const tag = slugOf(tagOf(document.paths[path]![method]!));
  return `${tag === '' ? '' : `tag/${tag}/`}${operationId}`;
}

/** As `assets/rest.js` makes them. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

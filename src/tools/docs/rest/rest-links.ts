import type { OperationModel } from '../../../compiler/model/model.ts';
import { tagOf } from './rest-markdown.ts';

/** The path of an operation in the site; the console of the reference opens it. */
export const operationPath = (operation: OperationModel): string => `docs/rest.html#${operationFragment(operation)}`;

/** The fragment of an operation on that page. */
export function operationFragment({ operationId, node }: OperationModel): string {
  const tag = slugOf(tagOf(node));
  return `${tag === '' ? '' : `tag/${tag}/`}${operationId}`;
}

/** As `assets/rest.js` makes them. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

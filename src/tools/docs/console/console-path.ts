import type { OperationModel } from '../../../compiler/model/model.ts';
import { tagOf } from '../../../descriptor/document.ts';
import type { SitePath } from '../layout/links.ts';

/** Where the console has an operation. */
export function consolePath({ operationId, node }: Pick<OperationModel, 'operationId' | 'node'>): SitePath {
  const tag = slugOf(tagOf(node));
  return `docs/console.html#${tag === '' ? '' : `tag/${tag}/`}${operationId}`;
}

/** As `assets/console.js` makes them. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

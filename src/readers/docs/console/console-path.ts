import type { OperationModel } from '../../../compiler/model/index.ts';
import { tagOf } from '../../../descriptor/document.ts';
import type { SitePath } from '../layout/links.ts';

/** Where the console has an operation. */
export function consolePath({ operationId, node }: Pick<OperationModel, 'operationId' | 'node'>): SitePath {
  const tag = slugOf(tagOf(node));
  const id = encodeURIComponent(operationId).replace(/[()]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `docs/console.html#${tag === '' ? '' : `tag/${tag}/`}${id}`;
}

/** As `assets/console.js` makes them. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

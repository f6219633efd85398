import { packageNameOf } from '../../../compiler/emit/sdk/index.ts';
import type { ContractModel } from '../../../compiler/model/index.ts';

/** What the clients of a contract are called: `lockstep-storefront-client`, without npm's scope. */
export const clientNameOf = (model: ContractModel): string => packageNameOf(model).replace(/^@[^/]*\//, '');

/** `OUT_OF_STOCK` → `OutOfStock` */
export const pascalCode = (code: string): string =>
  code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');

/** `lockstep-storefront-client` → `lockstepstorefront`, where names are one word. */
export const oneWord = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9]client$/i, '')
    .replace(/[^A-Za-z0-9]/g, '')
    .replace(/^\d+/, '')
    .toLowerCase() || 'client';

/** A text that is one line of a comment, and ends none. */
export const commentLine = (text: string): string =>
  text
    .trim()
    .replaceAll('*/', '* /')
    .replace(/"""|"$/g, (quotes) => quotes.replaceAll('"', "'"))
    .replaceAll('\\', '\\\\')
    .replace(/\s+/g, ' ');

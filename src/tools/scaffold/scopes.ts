import type { Noun } from './noun.ts';

/** The scopes of a new resource. */
export const scopesOf = ({ collection }: Noun): { readonly read: string; readonly write: string } => ({
  read: `${collection}:read`,
  write: `${collection}:write`,
});

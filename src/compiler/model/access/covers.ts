import { isDeepStrictEqual } from 'node:util';
import type { AccessAlternative } from '../../../descriptor/row-access.ts';

/** Whether one alternative holds wherever the other does, as far as their texts show. */
export function covers(wide: AccessAlternative, narrow: AccessAlternative): boolean {
  const scopes = wide.scope === undefined || wide.scope === narrow.scope;
  const wheres = wide.where === undefined || isDeepStrictEqual(wide.where, narrow.where);
  return scopes && wheres;
}

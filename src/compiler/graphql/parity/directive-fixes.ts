import type { Access } from '../../../descriptor/access.ts';
import type { Fix } from '../../findings/fix.ts';
import { authText } from './expected-field.ts';
import type { Field, Parity } from './parity.ts';
import { setDirectives } from './sdl-edits.ts';

/** Gives a field the access of its operation. */
export function accessFix({ document }: Parity, { astNode }: Field, access: Access): Fix | undefined {
  const text = authText(access, document);
  return text === undefined ? undefined : setDirectives(astNode, 'auth', text);
}

/** Marks a field as deprecated, or no longer. */
export const deprecationFix = ({ astNode }: Pick<Field, 'astNode'>, isDeprecated: boolean): Fix | undefined =>
  setDirectives(astNode, 'deprecated', isDeprecated ? '@deprecated' : '');

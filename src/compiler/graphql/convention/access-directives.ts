import type { Access } from '../../../descriptor/access.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { authText } from './directives.ts';

/** The directives that give a field the access of an operation; none where anybody may, or where SDL has no words for it. */
export function authDirectives(document: OpenApiDocument, access: Access | undefined): readonly string[] {
  const text = access && authText(access, document);
  return text ? text.split(/ (?=@auth)/) : [];
}

/** Whether `@auth` can say it: no alternative asks for two schemes at once. */
export const isExpressible = (document: OpenApiDocument, access: Access): boolean =>
  authText(access, document) !== undefined;

import { securitySchemes } from '../../compiler/model/security-schemes.ts';
import type { Access } from '../../descriptor/access.ts';
import { isBearer } from '../../descriptor/bearer.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { ReadyToken } from './ready-tokens.ts';

/** Whether a caller may use an operation: nobody in particular (undefined), or the one a token stands for. */
export function isPermitted(document: OpenApiDocument, access: Access, caller: ReadyToken | undefined): boolean {
  if (access.anyOf.length === 0) return true;
  const schemes = securitySchemes(document);
  const byToken = access.anyOf.filter((alternative) =>
    alternative.schemes.every(({ name }) => schemes[name] && isBearer(schemes[name])),
  );
  const scopes = new Set(caller?.scope.split(' '));
  return byToken.some(({ schemes: needed }) =>
    needed.every((scheme) => caller !== undefined && scheme.scopes.every((scope) => scopes.has(scope))),
  );
}

import { securitySchemes } from '../../compiler/model/security-schemes.ts';
import type { Access } from '../../descriptor/access.ts';
import { isBearer } from '../../descriptor/bearer.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { authorize } from '../../runtime/auth/authorize.ts';
import type { ReadyToken } from './ready-tokens.ts';

/** Whether a caller may use an operation: nobody in particular (undefined), or the one a token stands for. */
export function isPermitted(document: OpenApiDocument, access: Access, caller: ReadyToken | undefined): boolean {
  if (access.anyOf.length === 0) return true;
  const schemes = securitySchemes(document);
  const byToken = access.anyOf.filter((alternative) =>
    alternative.schemes.every(({ name }) => schemes[name] && isBearer(schemes[name])),
  );
  if (byToken.length === 0) return false;
  try {
    authorize({ anyOf: byToken }, caller && principalOf(caller));
    return true;
  } catch {
    return false;
  }
}

function principalOf({ subject, scope }: ReadyToken) {
  return { subject, scopes: new Set(scope.split(' ')), expiresAtMs: Number.POSITIVE_INFINITY };
}

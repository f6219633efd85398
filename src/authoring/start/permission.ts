import type { Access } from '../../descriptor/access.ts';
import type { RestDescriptor } from '../../descriptor/rest.ts';
import type { ReadyToken } from './ready-tokens.ts';

/** Whether a caller may use an operation: nobody in particular (undefined), or the one a token stands for. */
export function isPermitted(rest: RestDescriptor, access: Access, caller: ReadyToken | undefined): boolean {
  if (access.anyOf.length === 0) return true;
  const byToken = access.anyOf.filter(({ schemes }) =>
    schemes.every(({ name }) => rest.securitySchemes[name]?.isBearer),
  );
  const scopes = new Set(caller?.scope.split(' '));
  return byToken.some(({ schemes: needed }) =>
    needed.every((scheme) => caller !== undefined && scheme.scopes.every((scope) => scopes.has(scope))),
  );
}

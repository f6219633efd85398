/**
 * Who may call an operation, from its `security` (OpenAPI 3.1, Security Requirement Object).
 * `anyOf` has the alternatives, one of which must be met entirely. Without any, the operation is public, and credentials
 * are not read.
 */
export interface Access {
  readonly anyOf: readonly Requirement[];
}

/** One security requirement: all of its schemes with their scopes. If it is empty, anonymous callers meet it. */
export interface Requirement {
  readonly schemes: readonly { readonly name: string; readonly scopes: readonly string[] }[];
}

/** Whether all callers that meet one access meet the other, too. */
export function implies(one: Access, other: Access): boolean {
  const meets = ({ schemes: given }: Requirement): boolean =>
    other.anyOf.some(({ schemes }) =>
      schemes.every(({ name, scopes }) =>
        given.some((own) => own.name === name && scopes.every((scope) => own.scopes.includes(scope))),
      ),
    );
  return admitsAnonymous(other) || (!admitsAnonymous(one) && one.anyOf.every(meets));
}

/** Whether callers without credentials may call the operation. */
export const admitsAnonymous = ({ anyOf }: Access): boolean =>
  anyOf.length === 0 || anyOf.some(({ schemes }) => schemes.length === 0);

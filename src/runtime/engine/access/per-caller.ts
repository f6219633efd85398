import type { Principal } from '../../auth/principal.ts';

/** What is made of a caller, made once for each; undefined stands for all callers without a token. */
export function perCaller<T>(make: (principal: Principal | undefined) => T): (principal: Principal | undefined) => T {
  const anonymous = make(undefined);
  const known = new WeakMap<Principal, { readonly made: T }>();
  return (principal) => {
    if (!principal) return anonymous;
    let found = known.get(principal);
    if (!found) {
      found = { made: make(principal) };
      known.set(principal, found);
    }
    return found.made;
  };
}

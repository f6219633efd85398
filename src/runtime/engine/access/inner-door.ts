import type { Access } from '../../../descriptor/access.ts';
import { createAuthorizer } from '../../auth/authorize.ts';
import type { Caller } from '../interface/call.ts';
import { AdmittedCaller, createDoor } from './door.ts';

/** A door within an operation, for callers who have been admitted for that. Throws `UNAUTHENTICATED` or `FORBIDDEN`. */
export function innerDoor(access: Access): (caller: Caller) => AdmittedCaller {
  const authorizeFor = createAuthorizer(access);
  return (caller) => {
    if (!(caller instanceof AdmittedCaller))
      throw new Error('A caller reached what is within an operation unauthorized.');
    authorizeFor(caller.principal);
    return caller.for(access);
  };
}

/** Authorizes one caller, which waits for no turn. */
export const admit = (access: Access, { principal, requestId, log }: Caller): AdmittedCaller =>
  createDoor(access)(principal, { id: requestId, log });

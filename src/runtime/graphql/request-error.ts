import type { Session } from '../admission/session.ts';
import { ApiError } from '../errors/api-error.ts';
import { MAX_LISTED_FAULTS } from '../errors/bounded.ts';
import { RequestFaults } from './documents/request-fault.ts';
import { RequestError } from './endpoint/endpoint.ts';
import { type FormatError, listed } from './endpoint/error-format.ts';

/** Why a request is not executed. */
export function requestError(error: unknown, session: Session, formatError: FormatError): RequestError {
  const faults = error instanceof RequestFaults ? error.faults : [error];
  const errors = listed(faults, MAX_LISTED_FAULTS, (fault) => formatError(fault, session));
  return new RequestError(errors[0]!.extensions['status'] as number, errors, !isMalformed(faults[0]));
}

/** Whether the parameters of the request are at fault, and not its document. */
const isMalformed = (fault: unknown): boolean =>
  fault instanceof ApiError && (fault.code === 'MALFORMED_REQUEST' || fault.code === 'FORBIDDEN');

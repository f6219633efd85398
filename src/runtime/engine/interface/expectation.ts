import { ApiError } from '../../errors/api-error.ts';
import type { Expectation } from './call.ts';

/**
 * Throws `PRECONDITION_FAILED` when the current version is not an expected one
 * (RFC 9110, 13.1.1 If-Match, 13.1.2 If-None-Match).
 */
export function checkExpectation(expect: Expectation | undefined, version: number): void {
  if (!expect) return;
  const { ifMatch, ifNoneMatch } = expect;
  const isExpected = ifMatch === undefined || matches(ifMatch, version);
  const isExcluded = ifNoneMatch !== undefined && matches(ifNoneMatch, version);
  if (isExpected && !isExcluded) return;
  throw new ApiError('PRECONDITION_FAILED', { detail: `The resource is at version ${version}.` });
}

const matches = (versions: readonly number[] | 'any', version: number): boolean =>
  versions === 'any' || versions.includes(version);

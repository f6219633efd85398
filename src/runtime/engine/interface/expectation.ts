import { ApiError } from '../../errors/api-error.ts';
import type { Expectation, SeenVersion, Version } from './call.ts';

/**
 * Throws `PRECONDITION_FAILED` when the current version, as the caller sees it by `viewTag`, is not an expected one
 * (RFC 9110, 13.1.1 If-Match, 13.1.2 If-None-Match).
 */
export function checkExpectation(
  { ifMatch, ifNoneMatch, hasWeak }: Expectation,
  version: Version,
  viewTag?: string,
): void {
  const seen = viewTag === undefined ? undefined : (`${version}-${viewTag}` as const);
  const isExpected = ifMatch === undefined || matches(ifMatch, version, seen);
  const isExcluded = ifNoneMatch !== undefined && matches(ifNoneMatch, version, seen);
  if (isExpected && !isExcluded) return;
  throw preconditionFailed(`The resource is at version ${version}.`, hasWeak);
}

export function preconditionFailed(state: string, hasWeak = false): ApiError {
  const weak = ' If-Match has a weak entity tag, which never matches: send the strong one, without W/.';
  return new ApiError('PRECONDITION_FAILED', { detail: hasWeak ? state + weak : state });
}

/** Whether it depends on what of the row the caller may read. */
export const namesViews = ({ ifMatch = [], ifNoneMatch = [] }: Expectation): boolean =>
  [ifMatch, ifNoneMatch].some((versions) => versions !== 'any' && versions.some((one) => String(one).includes('-')));

type Versions = NonNullable<Expectation['ifMatch']>;

/** Whoever names the version alone means every view of it. */
const matches = (versions: Versions, version: Version, seen: SeenVersion | undefined): boolean =>
  versions === 'any' || versions.includes(version) || (seen !== undefined && versions.includes(seen));

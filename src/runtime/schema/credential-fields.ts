import { CONSISTENCY_TOKEN } from '../../descriptor/consistency-token.ts';
import type { RestDescriptor } from '../../descriptor/rest.ts';

/**
 * The header fields that every request may have, whatever it asks for: those with credentials, too, also of a public
 * operation, whose callers may be counted by them.
 */
export function commonFields({ securitySchemes }: RestDescriptor): readonly string[] {
  const fields = Object.values(securitySchemes).filter((scheme) => scheme.in === 'header');
  return [...new Set(fields.map(({ name }) => name)), CONSISTENCY_TOKEN];
}

/** Whether some security scheme takes its credentials from a cookie. */
export const hasCookieCredentials = ({ securitySchemes }: RestDescriptor): boolean =>
  Object.values(securitySchemes).some((scheme) => scheme.in === 'cookie');

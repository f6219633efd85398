import { CONSISTENCY_TOKEN } from '../../descriptor/consistency-token.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';

/**
 * The header fields with credentials of a contract's security schemes: also of a public operation, whose callers may be
 * counted by them.
 */
function credentialFields(document: OpenApiDocument): readonly string[] {
  const schemes = Object.values(document.components?.securitySchemes ?? {});
  const fields = schemes.flatMap((scheme) => {
    if (scheme.type !== 'apiKey') return scheme.type === 'mutualTLS' ? [] : ['Authorization'];
    return scheme['in'] === 'header' ? [String(scheme['name'])] : [];
  });
  return [...new Set(fields)];
}

/** The header fields that every request may have, whatever it asks for. */
export const commonFields = (document: OpenApiDocument): readonly string[] => [
  ...credentialFields(document),
  CONSISTENCY_TOKEN,
];

/** Whether some security scheme takes its credentials from a cookie. */
export const hasCookieCredentials = (document: OpenApiDocument): boolean =>
  Object.values(document.components?.securitySchemes ?? {}).some(
    (scheme) => scheme.type === 'apiKey' && scheme['in'] === 'cookie',
  );

import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../errors/api-error.ts';
import { parseContentType } from './media-type.ts';

const JSON_TYPE = 'application/json';

/**
 * Accepts only JSON in UTF-8: browsers do not send it to another site without a preflight request (CSRF). Throws
 * `UNSUPPORTED_MEDIA_TYPE`.
 */
export function checkJsonType({ 'content-type': field, 'content-encoding': coding }: IncomingHttpHeaders): void {
  const type = field === undefined ? null : parseContentType(field);
  const isUtf8 = type?.charset === undefined || type.charset === 'utf-8' || type.charset === 'utf8';
  if (type?.essence === JSON_TYPE && isUtf8 && coding === undefined) return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    detail: 'The body must be application/json in UTF-8.',
    headers: { accept: JSON_TYPE },
  });
}

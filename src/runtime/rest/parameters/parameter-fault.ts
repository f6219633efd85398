import type { FieldError } from '../../errors/api-error.ts';

/** A fault of a parameter, by the name that the caller used. */
export function parameterFault(
  place: 'path' | 'query' | 'header' | 'cookie',
  name: string,
  detail: string,
): FieldError {
  return place === 'header' ? { header: name, detail } : { parameter: name, detail };
}

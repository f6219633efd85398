import { childPointer, percentDecoded } from '../../../descriptor/json-pointer.ts';
import type { MediaDescriptor } from '../../../descriptor/rest.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import { tooManyValues } from '../../http/json-values.ts';
import type { SchemaRegistry } from '../../schema/schema-registry.ts';
import { BRACKETED, createQueryParameter, type Values } from './query-reader.ts';
import { decodeQueryText, parseQueryString } from './query-string.ts';
import { ABSENT } from './text-reader.ts';

/** Decodes the text of a form. Adds the faults of its fields to `faults`. Throws `MALFORMED_REQUEST`, `CONTENT_TOO_LARGE`. */
export type ReadForm = (text: string, faults: FieldError[]) => Values;

/**
 * The reader for bodies of type `application/x-www-form-urlencoded` (OpenAPI 3.1, 4.8.14.4). What no property describes is left
 * as text, for the whole schema to judge.
 */
export function createFormReader(
  { fields: declared = [], maxValues: most }: MediaDescriptor,
  schemas: SchemaRegistry,
): ReadForm {
  const fields = declared.map((field) => createQueryParameter(field, schemas));
  return (text, faults) => {
    if (text.split('&', most + 1).length > most) throw tooManyValues('The body', most);
    if (percentDecoded(text) === undefined)
      throw new ApiError('MALFORMED_REQUEST', { detail: 'The percent-encoding of the body is not valid.' });
    const form = parseQueryString(`?${text}`);
    const values: Record<string, unknown> = Object.create(null);
    const found: FieldError[] = [];
    for (const { reader, take } of fields) {
      const value = take(form, found);
      if (value !== ABSENT) values[reader.name] = value;
    }
    for (const [name, [first, ...others]] of form)
      values[name] = others.length === 0 ? decodeQueryText(first!) : [first!, ...others].map(decodeQueryText);
    faults.push(...found.map(inBody));
    return values;
  };
}

/** Fields have pointers, as the members of other bodies have: `/price/gte` for `price[gte]`. */
function inBody(fault: FieldError): FieldError {
  if (!('parameter' in fault)) return fault;
  const [, name, property] = BRACKETED.exec(fault.parameter) ?? [];
  const tokens = name === undefined ? [fault.parameter] : [name, property!];
  return { pointer: tokens.reduce(childPointer, ''), detail: fault.detail };
}

import * as contentType from 'content-type';
import { LRUCache } from 'lru-cache';
import { isEqual, type Offer, offersOf, type Parameters } from './accept.ts';

/** The parts of a Content-Type that the server uses (RFC 9110, 8.3.1). */
export interface MediaTypeField {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  /** In lower case. */
  readonly charset: string | undefined;
  /** What stands between the parts of a multipart body. */
  readonly boundary: string | undefined;
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const PARAMETER = `${TOKEN}=(?:${TOKEN}|${QUOTED})[ \\t]*`;
const MEDIA_TYPE = new RegExp(`^[ \\t]*${TOKEN}/${TOKEN}[ \\t]*(?:;[ \\t]*(?:${PARAMETER})?)*$`);
const QUOTED_VALUES = new RegExp(QUOTED, 'g');

const parsed = new LRUCache<string, { readonly field: MediaTypeField | null }>({
  max: 200,
  memoMethod: (text) => ({ field: parse(text) }),
});

/** Parses a Content-Type field; null when it is malformed. */
export function parseContentType(text: string): MediaTypeField | null {
  return parsed.memo(text).field;
}

/** `content-type` is lenient: violations of the grammar and repeated parameters (RFC 6838, 4.3) are rejected here. */
function parse(field: string): MediaTypeField | null {
  if (!MEDIA_TYPE.test(field)) return null;
  const { type, parameters } = contentType.parse(field);
  const named = field.replaceAll(QUOTED_VALUES, '').split('=').length - 1;
  if (named > Object.keys(parameters).length) return null;
  return { essence: type, charset: parameters['charset']?.toLowerCase(), boundary: parameters['boundary'] };
}

/**
 * The declared type that matches the given one: the same type, its range (`image/*`), or any type; of several, the one with
 * the parameters by which they differ. Null: the given one is malformed, undefined: none matches.
 */
export function declaredTypeOf(field: string, declared: readonly string[]): string | undefined | null {
  if (parseContentType(field) === null) return null;
  const { type, parameters } = contentType.parse(field);
  const offers = offersOf(declared);
  for (const wanted of [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']) {
    const [found] = offers
      .filter((offer) => offer.type === wanted)
      .flatMap((offer) => agreement(offer, parameters))
      .sort((one, other) => other.equal - one.equal);
    if (found) return found.name;
  }
  return undefined;
}

/** How many of the parameters by which an offer differs from others are given as it has them; empty: one is another. */
function agreement(
  { name, parameters, distinct }: Offer,
  given: Parameters,
): readonly { name: string; equal: number }[] {
  const equal = distinct.filter((one) => isEqual(given[one], parameters[one])).length;
  const differs = distinct.some((one) => given[one] !== undefined && !isEqual(given[one], parameters[one]));
  return differs ? [] : [{ name, equal }];
}

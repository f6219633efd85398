import {
  type QuerySerializer,
  serializeArrayParam,
  serializeObjectParam,
  serializePrimitiveParam,
} from 'openapi-fetch';

/**
 * How a parameter of the query is written, where it is neither `a=1,2` for an array nor `a[b]=1` for an object. `json`:
 * as the text of a parameter with `content`.
 */
export type QueryStyles = Readonly<
  Record<
    string,
    { readonly style: 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json'; readonly explode: boolean }
  >
>;

/** Writes the parameters of a query in the styles of the contract (OpenAPI 3.1, 4.8.12.2). */
export function querySerializer(styles: QueryStyles): QuerySerializer<unknown> {
  return (query) =>
    Object.entries(query as Readonly<Record<string, unknown>>)
      .map(([name, value]) => parameterOf(name, value, own(styles, name)))
      .filter((text) => text !== '')
      .join('&');
}

/** A member that a table has itself: names of the contract may be those of its prototype. */
export const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

type Fields = Readonly<Record<string, string>>;

/** Writes header parameters in the style `simple`: a list is `1,2`, an object `a,1` or exploded `a=1`. */
export const headerFields = (values: object = {}, styles: QueryStyles = {}): Fields =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, simple(value, own(styles, name))]],
    ),
  );

/** Writes cookie parameters. Browsers send those that they have themselves. */
export function cookieField(values: object = {}, styles: QueryStyles = {}): Fields {
  const pairs = Object.entries(headerFields(values, styles)).map(
    ([name, text]) => `${name}=${text.replaceAll(/[^\w!#$&'()*+./:<=>?@[\]^`{|}~,-]/g, encodeURIComponent)}`,
  );
  return pairs.length === 0 ? {} : { Cookie: pairs.join('; ') };
}

function simple(value: unknown, { style, explode = false }: Partial<QueryStyles[string]> = {}): string {
  if (style === 'json') return JSON.stringify(value);
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map((pair) => pair.join(explode ? '=' : ','))
    .join(',');
}

function parameterOf(name: string, value: unknown, given: QueryStyles[string] | undefined): string {
  if (value === undefined || value === null) return '';
  const { style = 'form', explode = false } = given ?? {};
  if (style === 'json') return serializePrimitiveParam(escaped(name), JSON.stringify(value));
  if (Array.isArray(value))
    return serializeArrayParam(escaped(name), value, { style: style === 'deepObject' ? 'form' : style, explode });
  if (typeof value === 'object') return objectOf(name, value, given);
  return serializePrimitiveParam(escaped(name), String(value));
}

/** Properties that are lists are repeated, and those that are objects have brackets. */
function objectOf(name: string, value: object, { style, explode }: QueryStyles[string] = DEEP): string {
  const given = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
  if (style !== 'deepObject' && !explode)
    return serializeObjectParam(escaped(name), Object.fromEntries(given), { style: 'form', explode });
  return given
    .map(([key, one]) => parameterOf(style === 'deepObject' ? `${name}[${key}]` : key, one, DEEP))
    .filter((text) => text !== '')
    .join('&');
}

const DEEP = { style: 'deepObject', explode: true } as const;

/** A name as URLs have it, with the brackets that are written plain. */
const escaped = (name: string): string => name.replaceAll(/[^\w[\]$@.:!*'()~/-]+/g, encodeURIComponent);

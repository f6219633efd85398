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
      .map(([name, value]) => parameterOf(name, value, styles[name]))
      .filter((text) => text !== '')
      .join('&');
}

function parameterOf(name: string, value: unknown, given: QueryStyles[string] | undefined): string {
  if (value === undefined || value === null) return '';
  const { style = 'form', explode = false } = given ?? {};
  if (style === 'json') return serializePrimitiveParam(name, JSON.stringify(value));
  if (Array.isArray(value))
    return serializeArrayParam(name, value, { style: style === 'deepObject' ? 'form' : style, explode });
  if (typeof value === 'object') {
    const { style = 'deepObject', explode = true } = given ?? {};
    return serializeObjectParam(name, value as Record<string, unknown>, {
      style: style === 'deepObject' ? style : 'form',
      explode,
    });
  }
  return serializePrimitiveParam(name, String(value));
}

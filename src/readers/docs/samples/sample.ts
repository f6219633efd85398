import type { SampleParameter, SampleRequest } from '../../../compiler/emit/index.ts';

/** A request that a reader can send: what the samples of all languages say. */
export interface Sample {
  readonly method: string;
  readonly url: string;
  /** Fields besides `Authorization`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly needsToken: boolean;
  readonly body: SampleRequest['body'];
}

/** How many entries a list is asked for. */
const PAGE = '2';

/** `base`: the URL of the API, without a trailing slash. Only what must be sent is, and lists are kept short. */
export function sampleOf(request: SampleRequest, base: string): Sample {
  const { method, path, inPath, inHeader, body, needsToken, keys } = request;
  const query = queryOf(request);
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => pathValue(inPath, name));
  return {
    method,
    url: `${base}${filled}${query.length > 0 ? `?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}` : ''}`,
    headers: [
      ...(body ? [['Content-Type', body.type] as const] : []),
      ...keys.flatMap(({ in: place, name, value }): (readonly [string, string])[] => {
        if (place === 'cookie') return [['Cookie', `${name}=${value}`]];
        return place === 'header' ? [[name, value]] : [];
      }),
      ...inHeader.filter(({ isRequired }) => isRequired).map(({ name, value }) => [name, value] as const),
    ],
    needsToken,
    body,
  };
}

function queryOf({ inQuery, keys }: SampleRequest): readonly (readonly [name: string, value: string])[] {
  const sent = inQuery.flatMap(({ name, value, isRequired }) => {
    if (isRequired) return [[name, value] as const];
    return name === 'limit' ? [[name, PAGE] as const] : [];
  });
  return [...sent, ...keys.flatMap((key) => (key.in === 'query' ? [[key.name, key.value] as const] : []))];
}

/** The separators of RFC 6570 stay as they are. */
function pathValue(inPath: readonly SampleParameter[], name: string): string {
  const value = inPath.find((parameter) => parameter.name === name)?.value ?? '';
  return encodeURIComponent(value).replaceAll(/%(?:2C|3B|3D)/g, decodeURIComponent);
}

/** Whether a body is JSON. */
export const isJson = (type: string): boolean => /[/+]json\b/.test(type);

/** A text in double quotes, as JSON, Go, Java and Python read it. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Writes JSON values in a language, members on lines of their own. */
export function literals(indent: string, scalar: (value: unknown) => string, key: (name: string) => string) {
  return function literal(value: unknown, outer = ''): string {
    if (typeof value !== 'object' || value === null) return scalar(value);
    const deeper = outer + indent;
    const lines = Array.isArray(value)
      ? value.map((one) => `${deeper}${literal(one, deeper)},\n`)
      : Object.entries(value).map(([name, one]) => `${deeper}${key(name)}: ${literal(one, deeper)},\n`);
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join('')}${outer}${close}`;
  };
}

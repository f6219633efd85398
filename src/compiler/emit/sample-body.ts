import type { Encoding, MediaType, RequestBody } from '../../descriptor/document.ts';

/** A field of a form, as text. */
type FormField = readonly [name: string, value: string];

/** The body of a sample request. */
export interface SampleBody {
  /** As `Content-Type` has it, with the boundary of a multipart body. */
  readonly type: string;
  readonly text: string;
  /** What the text stands for. */
  readonly value: unknown;
  /** The fields of a form (`application/x-www-form-urlencoded` or `multipart/form-data`). */
  readonly fields?: readonly FormField[];
}

const BOUNDARY = 'lockstep-sample';

/** A body of the first media type that an operation takes, with its value; undefined when it takes none. */
export function sampleBody(
  body: RequestBody | undefined,
  makeValue: (media: MediaType) => unknown,
): SampleBody | undefined {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return undefined;
  const value = makeValue(media);
  if (isForm(type)) return formOf(type, media, value);
  const isText = typeof value === 'string' && !/[/+]json\b/.test(type);
  return { type, value, text: isText ? value : JSON.stringify(value ?? {}, undefined, 2) };
}

const isForm = (type: string): boolean => /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);

function formOf(type: string, { encoding = {} }: MediaType, value: unknown): SampleBody {
  const given = typeof value === 'object' && value !== null ? value : {};
  const fields = Object.entries(given).flatMap(([name, one]) => fieldsOf(name, one, encoding[name]));
  if (!/^multipart/i.test(type)) {
    const text = fields.map(([name, one]) => `${encoded(name)}=${fieldText(one, encoding[name])}`).join('&');
    return { type, value, fields, text };
  }
  const parts = fields.map(
    ([name, one]) => `--${BOUNDARY}\nContent-Disposition: form-data; name="${name}"\n\n${one}\n`,
  );
  const text = `${parts.join('')}--${BOUNDARY}--\n`.replaceAll(/\r?\n/g, '\r\n');
  return { type: `${type}; boundary=${BOUNDARY}`, value, fields, text };
}

/** A property as the server reads it: a list is repeated, an object is JSON text (OpenAPI 3.1, 4.8.14.4). */
function fieldsOf(name: string, value: unknown, { style, explode = true }: Encoding = {}): readonly FormField[] {
  if (Array.isArray(value))
    return explode ? value.map((one) => [name, textOf(one)] as const) : [[name, value.map(textOf).join(',')]];
  if (style !== 'deepObject' || typeof value !== 'object' || value === null) return [[name, textOf(value)]];
  return Object.entries(value).map(([member, one]) => [`${name}[${member}]`, textOf(one)] as const);
}

/** The commas of a list that is not exploded are not encoded. */
const fieldText = (value: string, { explode = true }: Encoding = {}): string =>
  (explode ? [value] : value.split(',')).map(encoded).join(',');

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

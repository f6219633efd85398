import { own, type QueryStyles, querySerializer } from './query.ts';

/** How the bodies of a media type are written. */
export interface BodyFormat {
  /** Default: `json`. */
  readonly kind?: 'json' | 'form' | 'multipart' | 'text' | 'binary';
  /** Of the fields of a form. */
  readonly styles?: QueryStyles;
  /** The media types of the parts of a form, by name. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** The formats of an operation's bodies, by media type. */
export type BodyFormats = Readonly<Record<string, BodyFormat>>;

/** Bytes as a body, or as a part of a form. */
export type Bytes = Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>;

type Kind = NonNullable<BodyFormat['kind']>;

/** A request's body as `fetch` sends it. */
export interface WrittenBody {
  /** Undefined: the platform writes it, with the boundary of the parts. */
  readonly type: string | undefined;
  readonly body: unknown;
}

/** Writes a body in the declared format that fits it best. */
export async function writtenBody(body: unknown, formats: BodyFormats): Promise<WrittenBody> {
  const [type, { kind = 'json', styles = {}, parts = {} }] = formatFor(body, Object.entries(formats));
  switch (kind) {
    case 'json':
      return { type, body: isBytes(body) ? body : JSON.stringify(body) };
    case 'form':
      return {
        type,
        body: body instanceof URLSearchParams ? body : querySerializer(styles)(body as Record<string, unknown>),
      };
    case 'multipart':
      return body instanceof FormData || !isObject(body)
        ? { type: undefined, body }
        : { type: undefined, body: await formDataOf(body, parts) };
    case 'text':
      return { type: type.endsWith('/*') ? 'text/plain' : type, body: isBytes(body) ? body : String(body) };
    case 'binary':
      return { type: type.endsWith('/*') ? typeWithin(type, body) : type, body };
  }
}

/** The kinds that a value may be written in, the best one first. */
function kindsOf(body: unknown): readonly Kind[] {
  if (body instanceof FormData) return ['multipart'];
  if (isBytes(body)) return ['binary', 'text', 'json'];
  return typeof body === 'string' ? ['text', 'json', 'binary'] : ['json', 'form', 'multipart', 'text'];
}

function formatFor(body: unknown, formats: readonly (readonly [string, BodyFormat])[]): readonly [string, BodyFormat] {
  const own = body instanceof Blob ? formats.find(([type]) => type === body.type) : undefined;
  const fitting = kindsOf(body).flatMap((kind) => formats.filter(([, format]) => (format.kind ?? 'json') === kind));
  return own ?? fitting[0] ?? formats[0]!;
}

/** Of a range, the type of the bytes. */
function typeWithin(range: string, body: unknown): string {
  if (body instanceof Blob && body.type !== '') return body.type;
  return range === '*/*' ? 'application/octet-stream' : range.replace('*', 'octet-stream');
}

/** The parts of an object: of a list one for each item, an object as JSON (OpenAPI 3.1, 4.8.14.4). */
async function formDataOf(body: object, types: Readonly<Record<string, string>>): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    for (const one of [value].flat()) {
      if (one === undefined || one === null) continue;
      const part = await partOf(one, own(types, name));
      form.append(name, part);
    }
  return form;
}

async function partOf(value: unknown, type: string | undefined): Promise<string | Blob> {
  if (value instanceof Blob) return value.type !== '' || type === undefined ? value : value.slice(0, value.size, type);
  if (isBytes(value)) return new Blob([await new Response(value as BodyInit).arrayBuffer()], type ? { type } : {});
  const isJson = isObject(value) && (type === undefined || /[/+]json\b/.test(type));
  const text = isObject(value) ? JSON.stringify(value) : String(value);
  return isJson || type !== undefined ? new Blob([text], { type: type ?? 'application/json' }) : text;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isBytes = (value: unknown): value is Bytes =>
  value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof ReadableStream;

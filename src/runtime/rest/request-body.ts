import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { MAX_BODIES_BYTES } from '../../descriptor/body-limits.ts';
import { essenceOf, isJson } from '../../descriptor/content.ts';
import type { BodyDescriptor } from '../../descriptor/rest.ts';
import { ApiError, type FieldError } from '../errors/api-error.ts';
import { parseJson } from '../http/json-body.ts';
import { declaredTypeOf, parseContentType } from '../http/media-type.ts';
import type { SchemaRegistry, Validate } from '../schema/schema-registry.ts';
import { createFormReader, type ReadForm } from './parameters/form-reader.ts';

/** A decoded body: a JSON value, the fields of a form, text, a stream or bytes, depending on its media type. */
interface Body {
  /** The declared media type that it matches. */
  readonly mediaType: string;
  /** The media type for its handler: the declared one, or that of a multipart body with its parameters. */
  readonly contentType: string;
  readonly value: unknown;
}

/** Reads the bodies of an operation's requests. */
export interface BodyReader {
  /** Called before the body is read: the most bytes of one of its type, if the contract limits them. Throws `UNSUPPORTED_MEDIA_TYPE`. */
  limitOf(request: FastifyRequest): number | undefined;
  /**
   * Decodes the body. Undefined if it is absent or has faults; adds a fault if it is required. Throws `MALFORMED_REQUEST`,
   * and `CONTENT_TOO_LARGE` for one with more values than its schema gives reason for.
   */
  read(request: FastifyRequest, faults: FieldError[]): Body | undefined;
  /** Validates a body by the schema of its media type, and adds its faults to `faults`. */
  validate(body: Body, faults: FieldError[]): void;
}

interface BodyReading {
  /** The defaults of a schema are set when it is validated. */
  readonly defaults?: boolean | undefined;
  /** Limits of the contract above so many bytes do not hold. */
  readonly bodyShare?: number | undefined;
}

/** Without a `requestBody`, the operation accepts no body. */
export function createBodyReader(
  requestBody: BodyDescriptor | undefined,
  schemas: SchemaRegistry,
  { defaults = false, bodyShare = MAX_BODIES_BYTES }: BodyReading = {},
): BodyReader {
  const types = Object.keys(requestBody?.content ?? {});
  const validators = new Map<string, Validate>();
  const forms = new Map<string, ReadForm>();
  const decoders = new Map<string, Decode>();
  for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
    if (media.schema !== undefined) validators.set(type, schemas.input(media.schema, { defaults }));
    decoders.set(type, decoderOf(type, media.maxValues));
    if (media.fields) forms.set(type, createFormReader(media, schemas));
  }
  return {
    limitOf: (request) => {
      if (!hasBody(request)) return undefined;
      checkEncoding(request, types);
      const { maxBytes } = requestBody?.content[matchType(request, types)] ?? {};
      return maxBytes !== undefined && maxBytes <= bodyShare ? maxBytes : undefined;
    },
    read: (request, faults) => {
      const bytes = request.body as Buffer | undefined;
      if (bytes === undefined || bytes.length === 0) {
        if (requestBody?.required) faults.push({ pointer: '', detail: 'is required' });
        return undefined;
      }
      const mediaType = matchType(request, types);
      const form = forms.get(mediaType);
      if (!form) return decoded(bytes, mediaType, request.headers['content-type']!, decoders.get(mediaType)!);
      const before = faults.length;
      const value = form(textOf(bytes), faults);
      return faults.length > before ? undefined : { mediaType, contentType: mediaType, value };
    },
    validate: ({ mediaType, value }, faults) => {
      if (Buffer.isBuffer(value) || value instanceof Readable) return;
      const errors = validators.get(mediaType)?.(value);
      if (errors) faults.push(...errors);
    },
  };
}

function hasBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

function checkEncoding({ headers }: FastifyRequest, types: readonly string[]): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw unsupported(`Content-Encoding ${encoding} is not accepted.`, types, { 'accept-encoding': 'identity' });
}

/** The declared media type of a request's body. */
function matchType({ headers }: FastifyRequest, types: readonly string[]): string {
  const field = headers['content-type'];
  if (field !== undefined && types.includes(field) && !isMultipart(field)) return field;
  if (types.length === 0) throw unsupported('This operation does not accept a body.', types);
  if (field === undefined) throw unsupported(`The body needs a Content-Type: ${types.join(', ')}.`, types);
  const type = parseContentType(field);
  const declared = declaredTypeOf(field, types);
  if (!type || !declared) throw unsupported(`This operation accepts ${types.join(', ')}.`, types);
  if (isTextual(type.essence) && type.charset !== undefined && type.charset !== 'utf-8' && type.charset !== 'utf8')
    throw unsupported('The charset must be utf-8.', types);
  if (isMultipart(type.essence) && !type.boundary)
    throw unsupported('The Content-Type of a multipart body needs a boundary.', types);
  return declared;
}

const isTextual = (essence: string): boolean => isJson(essence) || essence.startsWith('text/');

function decoded(bytes: Buffer, mediaType: string, field: string, decode: Decode): Body {
  const { essence } = parseContentType(field)!;
  if (!isMultipart(essence)) return { mediaType, contentType: mediaType, value: decode(bytes) };
  return { mediaType, contentType: essence + field.slice(field.indexOf(';')), value: streamOf(bytes) };
}

const isMultipart = (contentType: string): boolean => /^multipart\//i.test(contentType);

/** A stream of a body that has been received: a slow caller must not hold the transaction of a handler open. */
const streamOf = (bytes: Buffer): Readable => Readable.from(bytes, { objectMode: false });

type Decode = (bytes: Buffer) => unknown;

/** Decodes bodies of a declared type; those of a range, such as `application/*`, are bytes. */
function decoderOf(type: string, maxValues: number): Decode {
  if (isJson(type)) return (bytes) => parseJson(bytes, maxValues);
  return essenceOf(type).startsWith('text/') ? textOf : (bytes) => bytes;
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ApiError('MALFORMED_REQUEST', { detail: 'The body is not UTF-8.' });
  return bytes.toString('utf8');
}

/** The error names the supported types (RFC 9110, 15.5.16). */
function unsupported(detail: string, types: readonly string[], headers: Record<string, string> = {}): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    detail,
    headers: types.length > 0 ? { accept: types.join(', '), ...headers } : headers,
  });
}

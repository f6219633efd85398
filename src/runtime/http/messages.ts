import { randomBytes } from 'node:crypto';
import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { BodyRoom } from './bodies-under-way.ts';
import type { Pipeline } from './pipeline.ts';
import { boundUnsent } from './unsent-answers.ts';

/** Ids that are safe in logs, headers and JSON. */
const SAFE_ID = /^[\w.:-]{8,64}$/;

/** A request that has one id wherever it is asked for it. */
export class IdentifiedRequest extends IncomingMessage {
  /** Those of servers have one. */
  declare url: string;
  /** The requests of its connection. */
  pipeline: Pipeline | undefined;
  /** That of a body which did not come with its head. */
  bodyRoom: BodyRoom | undefined;
  /** Called when its body begins to be read. */
  onBodyRead: (() => void) | undefined;
  #id: string | undefined;

  override _read(size: number): void {
    this.onBodyRead?.();
    super._read(size);
  }

  /** The caller's `X-Request-Id` if it is safe, so that a request has the same id in all services; else a new id. */
  get requestId(): string {
    this.#id ??= givenId(this) ?? newRequestId();
    return this.#id;
  }
}

/** The id of a request; of one that did not come over a socket, a new one each time if it has none. */
export const requestIdOf = (request: IncomingMessage): string =>
  request instanceof IdentifiedRequest ? request.requestId : (givenId(request) ?? newRequestId());

function givenId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : undefined;
}

/** Length of a new id. */
const DIGITS = 32;
/** Ids that are generated together: a call of `randomBytes` costs much more than its bytes. */
const BATCH = 256;

let digits = '';
let used = 0;

/** A new id: 128 random bits in hexadecimal. */
export function newRequestId(): string {
  if (used === digits.length) {
    digits = randomBytes((BATCH * DIGITS) / 2).toString('hex');
    used = 0;
  }
  used += DIGITS;
  return digits.slice(used - DIGITS, used);
}

type Fields = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A response as this server gives all of them. A hook of Fastify that did the same would cost a request a twentieth more. */
export class AnsweringResponse extends ServerResponse<IdentifiedRequest> {
  /** Bytes of the content, as far as whoever answers has counted them. */
  #length: unknown;

  override writeHead(status: number, reason?: string | Fields, fields?: Fields): this {
    if (typeof reason === 'string') return super.writeHead(status, reason, this.#completed(fields));
    return super.writeHead(status, this.#completed(reason ?? fields));
  }

  /**
   * Sends ASCII as Latin-1, which is the same bytes. For UTF-8, Node reserves three bytes a character, and what does not
   * fit into 16 KB then is copied and written asynchronously: a page of 20 rows would cost a tenth more.
   */
  override end(...[chunk, encoding, ended]: unknown[]): this {
    const isGiven = !this.writableEnded;
    const isAscii = typeof chunk === 'string' && encoding == null && Number(this.#length) === chunk.length;
    super.end(chunk, (isAscii ? 'latin1' : encoding) as BufferEncoding, ended as () => void);
    if (isGiven) this.#follow();
    return this;
  }

  /** It is answered once its connection has taken all of it; one behind others has no connection yet. */
  #follow(): void {
    const { pipeline } = this.req;
    if (this.socket?.writableLength === 0) {
      pipeline?.answered();
      return;
    }
    this.once('close', () => pipeline?.answered());
    boundUnsent(this, pipeline, Number(this.#length) || this.writableLength);
  }

  /** `fields` are of this answer alone, so that nothing need be copied. */
  #completed(fields: Fields = {}): Fields {
    const { requestId } = this.req;
    this.#length = Array.isArray(fields) ? fields[fields.indexOf('content-length') + 1] : fields['content-length'];
    if (!Array.isArray(fields)) return Object.assign(fields, fieldsOfAll(requestId));
    fields.push('x-content-type-options', 'nosniff', 'x-request-id', requestId);
    return fields;
  }
}

/**
 * The fields that every answer has: `X-Request-Id`, by which its lines in the log are found, and a ban on guessing another
 * media type (https://fetch.spec.whatwg.org/#x-content-type-options-header).
 */
export const fieldsOfAll = (requestId: string) => ({
  'x-content-type-options': 'nosniff',
  'x-request-id': requestId,
});

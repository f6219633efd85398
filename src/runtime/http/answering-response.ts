import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { IdentifiedRequest } from './identified-request.ts';

type Fields = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A response as this server gives all of them. A hook of Fastify that did the same would cost a request a twentieth more. */
export class AnsweringResponse extends ServerResponse<IdentifiedRequest> {
  /**
   * Adds the fields that every answer has: `X-Request-Id`, by which its lines in the log are found, and a ban on
   * guessing another media type (https://fetch.spec.whatwg.org/#x-content-type-options-header).
   */
  override writeHead(status: number, reason?: string | Fields, fields?: Fields): this {
    if (typeof reason === 'string') return super.writeHead(status, reason, this.#completed(fields));
    return super.writeHead(status, this.#completed(reason ?? fields));
  }

  /**
   * Sends ASCII as Latin-1, which is the same bytes. For UTF-8, Node reserves three bytes a character, and what does not
   * fit into 16 KB then is copied and written asynchronously: a page of 20 rows would cost a tenth more.
   */
  override end(...[chunk, encoding, ended]: unknown[]): this {
    const isAscii = typeof chunk === 'string' && encoding == null && Buffer.byteLength(chunk) === chunk.length;
    return super.end(chunk, (isAscii ? 'latin1' : encoding) as BufferEncoding, ended as () => void);
  }

  #completed(fields: Fields | undefined): Fields {
    const { requestId } = this.req;
    if (Array.isArray(fields)) return [...fields, 'x-content-type-options', 'nosniff', 'x-request-id', requestId];
    return { ...fields, 'x-content-type-options': 'nosniff', 'x-request-id': requestId };
  }
}

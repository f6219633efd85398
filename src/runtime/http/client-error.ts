import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { StandardErrorCode } from '../../descriptor/standard-errors.ts';
import { ApiError } from '../errors/api-error.ts';
import { closeLingering } from './lingering-close.ts';
import { fieldsOfAll, newRequestId } from './messages.ts';
import type { ProblemPlace, RenderProblem } from './problem.ts';

/** As many as proxies commonly pass on. Each of them costs time before anything can be said of the request. */
export const MAX_FIELDS = 100;

/** What the HTTP parser accepts, and this server does not. */
export class FineChunks extends Error {
  readonly code = 'FINE_CHUNKS';
}

/** Errors of the HTTP parser that have a status of their own. Any other is a malformed request. */
const BY_CODE: Readonly<Record<string, readonly [StandardErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [
    'HEADERS_TOO_LARGE',
    `The request has more than ${MAX_FIELDS} header fields, or more than ${maxHeaderSize} bytes of them.`,
  ],
  FINE_CHUNKS: ['CONTENT_TOO_LARGE', 'The body comes in far more chunks than it needs.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['CONTENT_TOO_LARGE', 'The chunk extensions are larger than the server accepts.'],
};

const MALFORMED = ['MALFORMED_REQUEST', 'The request is not well-formed HTTP.'] as const;

/** Node keeps the current response of a socket in this property. */
interface RespondingSocket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

/**
 * Answers a request that the HTTP parser has rejected, directly on the socket, and closes the connection, because the
 * parser cannot find the next request. Sends nothing if a response has already begun.
 */
export function answerClientError(render: RenderProblem, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || (socket as RespondingSocket)._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const [code, detail] = BY_CODE[error.code ?? ''] ?? MALFORMED;
  refuseSocket(socket, render, new ApiError(code, { detail }));
}

/** Answers on a socket that carries no HTTP request that could be answered otherwise, and closes it. */
export function refuseSocket(socket: Socket, render: RenderProblem, error: ApiError, place?: ProblemPlace): void {
  socket.write(rawProblem(render, error, place));
  closeLingering(socket);
}

/** A complete HTTP/1.1 response as text. */
function rawProblem(
  render: RenderProblem,
  error: ApiError,
  place = { instance: '/', requestId: newRequestId() },
): string {
  const { status, headers, body } = render(error, place);
  const fields = {
    ...headers,
    ...fieldsOfAll(place.requestId),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries({ date: new Date().toUTCString(), ...fields }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ArrivingBody } from './arriving-body.ts';
import { IdentifiedRequest } from './messages.ts';

type Done = (error: Error | null, body?: Buffer) => void;

export interface Collecting {
  /** In bytes, of requests that have no `bodyLimit` of their own. */
  readonly limit: number;
  /** Resolves when a body that has arrived may be worked on; undefined if that is now. */
  turnOf(request: FastifyRequest): Promise<void> | undefined;
}

/**
 * Has Fastify hand over bodies as bytes, each in a turn of its caller: those that arrive together would
 * keep all others waiting. No client is asked for the body of a request that nothing serves.
 */
export function collectBodies(scope: FastifyInstance, { limit: usual, turnOf }: Collecting): void {
  // Of a type without a name here, Fastify parses the field of each request again.
  const types = ['*', 'application/json', 'application/merge-patch+json'];
  scope.addContentTypeParser(types, (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
    const [room, awaited] = payload instanceof IdentifiedRequest ? [payload.bodyRoom, payload.onBodyRead] : [];
    if (awaited && request.is404) {
      done(null);
      return;
    }
    const limit = request.bodyLimit ?? usual;
    const field = request.headers['content-length'];
    const declared = field === undefined ? undefined : Number(field);
    if (!room && declared && declared <= limit && payload.readableLength >= declared) {
      done(null, readAtOnce(payload, declared));
      return;
    }
    const body = new ArrivingBody(limit, declared, room);
    const hand = (): void => done(null, body.bytes());
    body.read(payload, (error) => {
      const turn = error ? undefined : turnOf(request);
      if (error) done(error);
      else if (!turn) hand();
      else void turn.then(() => payload.socket.destroyed || hand());
    });
  });
}

/** A body that came with the head of its request, whose turn it has. Listeners for its parts would cost as much as parsing it. */
function readAtOnce(payload: IncomingMessage, length: number): Buffer {
  const bytes: Buffer = payload.read(length);
  payload.resume();
  return bytes;
}

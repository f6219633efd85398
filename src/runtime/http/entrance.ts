import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { callerKey, networkOf } from '../async/caller-key.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { BodiesUnderWay } from './bodies-under-way.ts';
import { BodyStarts } from './body-starts.ts';
import type { IdentifiedRequest } from './messages.ts';
import type { Pressure } from './pressure.ts';
import type { Refuse } from './refusal.ts';

export interface EntranceLimits {
  readonly pressure: Pressure;
  readonly clientAddress: (request: IncomingMessage) => string;
  /** Those that do not come with their heads. */
  readonly bodies: BodiesUnderWay;
  /** Paths that are served even while others are refused because of the load: too few for a set, which would hash each target. */
  readonly alwaysOpen: readonly string[];
}

/** What Node reads of a connection at once. */
const PART_BYTES = 65_536;

/** Lets requests in as soon as their callers have a turn, or refuses them before anything of their bodies is read. */
export function createEntrance(
  { pressure, clientAddress, bodies, alwaysOpen }: EntranceLimits,
  handle: RequestListener,
  refuse: Refuse,
): RequestListener<typeof IdentifiedRequest> {
  const starts = new BodyStarts();
  const turnOf = turnsBy(clientAddress);

  const enter = (request: IncomingMessage, response: ServerResponse, keepsAlive: boolean): void => {
    if (pressure.takes(response)) handle(request, response);
    else
      pressure.admit(response, {
        caller: turnOf(request),
        start: () => handle(request, response),
        refuse: (error) => refuse(error, request, response, keepsAlive),
        isPlaced: true,
      });
  };

  const enterWithBody = (request: IdentifiedRequest, response: ServerResponse): void => {
    if (isWhole(request)) {
      enter(request, response, false);
      return;
    }
    const bytes = bodies.bytesOf(request);
    // Node would go on with what has arrived before anybody asks for it. Who reads the body resumes the connection; until then, its end is not seen.
    if (bytes > PART_BYTES) request.socket.pause();
    const refuseBody = (error: ApiError): void => refuse(error, request, response, false);
    request.bodyRoom = bodies.begin(networkOf(clientAddress(request)), bytes);
    if (!request.bodyRoom) {
      pressure.refuse(response, turnOf(request), refuseBody);
      return;
    }
    response.once('close', request.bodyRoom.leave);
    request.once('end', () => {
      if (!response.destroyed && !response.writableFinished) pressure.place(response);
    });
    const caller = turnOf(request);
    pressure.admit(response, {
      caller,
      start: () => starts.add(caller, bytes, () => response.destroyed || handle(request, response)),
      refuse: refuseBody,
      isPlaced: false,
    });
  };

  return (request, response) => {
    if (alwaysOpen.includes(request.url))
      return pressure.open(response, turnOf(request), () => handle(request, response));
    // By then, the parser has read what came with the head, or in chunks, to their end.
    if (request.headers['transfer-encoding'] !== undefined) setImmediate(enterWithBody, request, response);
    else if (hasBody(request)) process.nextTick(enterWithBody, request, response);
    else enter(request, response, true);
  };
}

/** Whose turn a request has before it is read who sent it. */
export const turnsBy =
  (clientAddress: EntranceLimits['clientAddress']) =>
  (request: IncomingMessage): string =>
    callerKey({ subject: undefined, address: clientAddress(request) });

/** Whether a request has a body (RFC 9112, 6). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const isWhole = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || readableLength >= Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);

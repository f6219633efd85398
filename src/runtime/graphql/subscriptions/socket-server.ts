import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode, type Context, makeServer } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { MAX_OPEN_VALUES } from '../../../descriptor/body-limits.ts';
import { MAY_CHANGE, sentNumber } from '../../../descriptor/written-number.ts';
import type { OpenedSession } from '../../admission/create-sessions.ts';
import type { Session } from '../../admission/session.ts';
import { addressOf } from '../../async/caller-key.ts';
import { Shares } from '../../async/shares.ts';
import type { Log } from '../../engine/interface/call.ts';
import { isToken } from '../../engine/interface/consistency.ts';
import { hasMoreValues } from '../../http/json-values.ts';
import { stopping } from '../../http/readiness.ts';
import type { SocketPlace } from '../../http/socket-places.ts';
import { limitExceeded } from '../documents/limits.ts';
import { type Prepared, RequestError } from '../endpoint/endpoint.ts';
import type { GraphqlWireError } from '../endpoint/request.ts';
import type { Transport } from '../endpoint/transport.ts';
import { parametersOf } from '../http/graphql-request.ts';
import { callAt } from './call-at.ts';
import { Incoming, TRY_AGAIN_LATER } from './incoming.ts';
import { Outbox } from './outbox.ts';
import { webSocketSink } from './sinks.ts';

/** https://www.iana.org/assignments/websocket */
const MESSAGE_TOO_BIG = 1009;

/** Characters of the id of an operation, which each of its results repeats. */
const MAX_ID_LENGTH = 256;

export interface SocketServer {
  /** Serves one open socket over its connection. */
  serve(
    socket: WebSocket,
    connection: Duplex,
    request: IncomingMessage,
    as: Pick<Extra, 'requestId' | 'log' | 'address' | 'place'>,
  ): void;
  /** Resolves once the running queries and mutations have been answered, and their events sent; subscriptions go on. */
  settled(): Promise<void>;
}

interface Extra {
  readonly socket: WebSocket;
  readonly outbox: Outbox;
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly log: Log;
  readonly address: string;
  readonly place: SocketPlace;
  /** Subscriptions of the socket that do not hear everything yet. */
  readonly starting: Set<Promise<unknown>>;
  /** The message that is being read. */
  message: string;
  session?: OpenedSession;
  stopExpiry?: () => void;
}
type SocketContext = Context<Record<string, unknown> | undefined, Extra>;

/** What graphql-ws passes from `onSubscribe` to `execute` and `subscribe`. */
interface Execution {
  /** The operation's id on its socket. */
  readonly id: string;
  readonly prepared: Prepared;
  readonly session: Session;
  readonly outbox: Outbox;
  readonly starting: Set<Promise<unknown>>;
  /** Gives back what a subscription costs. */
  readonly release: () => void;
}

/** Carries an error as clients get it: graphql-ws accepts instances of `GraphQLError` only. */
class WireError extends GraphQLError {
  readonly wire: GraphqlWireError;

  constructor(wire: GraphqlWireError) {
    super(wire.message);
    this.wire = wire;
  }
}

/**
 * graphql-ws implements the protocol; the endpoint handles documents, limits, callers and execution. Operations are refused
 * unless the server `isListening`: sockets outlive its listener.
 */
export function createSocketServer(transport: Transport, isListening: () => boolean): SocketServer {
  const { endpoint } = transport;
  const running = new Set<Promise<unknown>>();
  const outboxes = new Set<Outbox>();
  const shares = new Shares(transport.limits.maxArrivingBytes);
  const server = makeServer<Record<string, unknown> | undefined, Extra>({
    connectionInitWaitTimeout: transport.limits.initTimeoutMs,
    onConnect: (context) => connected(context, transport),
    onClose: ({ extra }) => extra.stopExpiry?.(),
    onSubscribe: (context, id, payload) => prepared(context, id, payload, transport, isListening()),
    execute: (args) => {
      const { prepared, session, starting } = args.contextValue as Execution;
      // What a client reads after it has subscribed must not be older than the first event that it gets.
      const execute = () => endpoint.execute(prepared, session);
      const result = starting.size === 0 ? execute() : Promise.all(starting).then(execute);
      running.add(result);
      void result.finally(() => running.delete(result));
      return result as never;
    },
    subscribe: (args) => subscribed(args.contextValue as Execution, transport) as never,
    onNext: (_context, _id, _payload, _args, result) => result as never,
    onError: (_context, _id, _payload, errors) =>
      errors.map((error) => (error instanceof WireError ? error.wire : error)) as never,
  });
  const serve: SocketServer['serve'] = (socket, connection, request, as) => {
    const { limits, turns, guards } = transport;
    const { log } = as;
    const outbox = new Outbox(webSocketSink(socket, connection), limits, (task) => turns.add(task));
    outboxes.add(outbox);
    const extra: Extra = { ...as, socket, outbox, request, starting: new Set(), message: '' };
    const caller = () => extra.session ?? addressOf({ ip: as.address });
    const incoming = new Incoming(socket, connection, { turns: guards.admission.turns, shares, caller });
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (text) => outbox.send(text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (receive) => incoming.onMessage((data, isBinary) => received(extra, receive, data, isBinary)),
      },
      extra,
    );
    socket.on('error', () => socket.terminate());
    socket.once('close', (code, reason) => {
      outbox.close();
      outboxes.delete(outbox);
      Promise.resolve(closed(code, reason.toString())).catch((error: unknown) =>
        log.error({ err: error }, 'socket failed'),
      );
    });
  };
  const settled = async (): Promise<void> => {
    await Promise.allSettled(running);
    await transport.turns.idle();
    for (const outbox of outboxes) outbox.flush();
  };
  return { serve, settled };
}

/** graphql-ws rejects both messages that the protocol forbids and internal errors. */
function received(
  extra: Extra,
  receive: (data: string) => Promise<void>,
  data: WebSocket.RawData,
  isBinary: boolean,
): void {
  const { socket, log } = extra;
  if (isBinary) {
    socket.close(CloseCode.BadRequest, 'Messages must be text.');
    return;
  }
  if (hasMoreValues(data as Buffer, MAX_OPEN_VALUES)) {
    socket.close(MESSAGE_TOO_BIG, `Messages have at most ${MAX_OPEN_VALUES} values.`);
    return;
  }
  extra.message = data.toString();
  receive(extra.message).catch((error: unknown) => {
    const isCallers = error instanceof Error && /^Unexpected message/.test(error.message);
    if (!isCallers) log.error({ err: error }, 'socket failed');
    socket.close(
      isCallers ? CloseCode.BadRequest : CloseCode.InternalServerError,
      isCallers ? 'Unexpected message' : 'Internal server error',
    );
  });
}

/**
 * Reads the token from the first message, else from the upgrade request, and from the first message what all operations of
 * the socket must see. False closes the socket with 4403 Forbidden.
 */
async function connected({ extra, connectionParams = {} }: SocketContext, transport: Transport): Promise<boolean> {
  const { socket, request, requestId: id, log } = extra;
  const { authorization = connectionParams['Authorization'], consistencyToken } = connectionParams;
  if (consistencyToken != null && !isToken(consistencyToken)) {
    socket.close(CloseCode.BadRequest, 'consistencyToken must be the token of an answer.');
    return false;
  }
  const { 'idempotency-key': _, 'consistency-token': __, ...headers } = request.headers;
  const given = {
    ...headers,
    ...(typeof authorization === 'string' && { authorization }),
    ...(typeof consistencyToken === 'string' && { 'consistency-token': consistencyToken }),
  };
  extra.session = await transport.openSession({ id, log, ip: extra.address, headers: given, query: {} });
  if (extra.session.refusal) return false;
  if (!extra.place.moveTo({ subject: extra.session.subject, address: extra.address })) {
    socket.close(TRY_AGAIN_LATER, 'The caller has too many open WebSockets.');
    return false;
  }
  const { expiresAtMs } = extra.session;
  // Clients reconnect after this code, with a new token.
  const expire = (): void => socket.close(CloseCode.Forbidden, 'The token has expired.');
  if (expiresAtMs !== undefined) extra.stopExpiry = callAt(expiresAtMs, transport.clock, expire);
  if (socket.readyState !== socket.OPEN) extra.stopExpiry?.();
  return true;
}

/**
 * Starts a subscription whose results go to the socket by themselves: what graphql-ws iterates over has none, and ends when
 * the subscription does.
 */
async function subscribed(execution: Execution, { endpoint }: Transport) {
  const { id, prepared, session, outbox, starting, release } = execution;
  const results = outbox.stream((json) => `{"id":${JSON.stringify(id)},"type":"next","payload":${json}}`);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const start = endpoint.subscribe(prepared, session, { next: results.push, complete: end });
  // Whoever waits for it does not hear that it failed.
  const settled = start.catch(() => {});
  starting.add(settled);
  const started = await start.finally(() => starting.delete(settled));
  if (typeof started !== 'function') {
    release();
    return started;
  }
  void ended.then(release);
  return untilEnd(ended, () => {
    results.close();
    started();
    end();
  });
}

/** An iteration without values. `leave` is called when it is ended from outside. */
function untilEnd(ended: Promise<void>, leave: () => void): AsyncGenerator<never, void, void> {
  const done = { done: true, value: undefined } as const;
  const iteration: AsyncGenerator<never, void, void> = {
    next: () => ended.then(() => done),
    async return() {
      leave();
      return done;
    },
    async throw(error) {
      leave();
      throw error;
    },
    [Symbol.asyncIterator]: () => iteration,
    async [Symbol.asyncDispose]() {
      leave();
    },
  };
  return iteration;
}

/** The payload with numbers as they are written. One that nests too deeply for that is refused for it. */
function exactly(message: string, payload: unknown): unknown {
  if (!MAY_CHANGE.test(message)) return payload;
  try {
    return (JSON.parse(message, sentNumber) as { readonly payload: unknown }).payload;
  } catch {
    return payload;
  }
}

async function prepared(
  { extra, subscriptions }: SocketContext,
  id: string,
  payload: unknown,
  transport: Transport,
  isListening: boolean,
) {
  const { endpoint, budget } = transport;
  const session = extra.session!.ofOperation();
  const parameters = exactly(extra.message, payload);
  try {
    const running = Object.keys(subscriptions).length;
    const { subscriptions: limit } = endpoint.limits;
    if (!isListening) throw stopping();
    if (id.length > MAX_ID_LENGTH) throw limitExceeded('length of the id', id.length, MAX_ID_LENGTH);
    if (running > limit) throw limitExceeded('number of operations of the socket', running, limit);
    const caller = { subject: session.subject, address: extra.address };
    await session.count();
    const ready = endpoint.prepare(parametersOf(parameters), session);
    const { document, operationName } = ready;
    const release = ready.kind === 'subscription' ? budget.take(caller, ready) : () => {};
    const contextValue: Execution = {
      id,
      prepared: ready,
      session,
      outbox: extra.outbox,
      starting: extra.starting,
      release,
    };
    return { schema: endpoint.schema, document, operationName, contextValue } satisfies ExecutionArgs as ExecutionArgs;
  } catch (error) {
    const errors = error instanceof RequestError ? error.errors : [endpoint.formatError(error, session)];
    return errors.map((wire) => new WireError(wire));
  }
}

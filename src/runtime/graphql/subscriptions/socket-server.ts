import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode, type Context, makeServer } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Log } from '../../engine/interface/call.ts';
import { stopping } from '../../http/readiness.ts';
import { limitExceeded } from '../documents/limits.ts';
import { type Prepared, RequestError } from '../endpoint/endpoint.ts';
import type { GraphqlWireError } from '../endpoint/request.ts';
import type { Session } from '../endpoint/session.ts';
import type { Transport } from '../endpoint/transport.ts';
import { parametersOf } from '../http/graphql-request.ts';
import { callAt } from './call-at.ts';
import { sender } from './sender.ts';

export interface SocketServer {
  /** Serves one open socket. */
  serve(socket: WebSocket, request: IncomingMessage, as: { readonly requestId: string; readonly log: Log }): void;
  /** Resolves once the running queries and mutations have been answered; subscriptions go on. */
  settled(): Promise<void>;
}

interface Extra {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly log: Log;
  readonly address: string;
  session?: Session;
  stopExpiry?: () => void;
}
type SocketContext = Context<Record<string, unknown> | undefined, Extra>;

/** What graphql-ws passes from `onSubscribe` to `execute` and `subscribe`. */
interface Execution {
  readonly prepared: Prepared;
  readonly session: Session;
}

/** Carries an error as clients get it: graphql-ws accepts instances of `GraphQLError` only. */
class WireError extends GraphQLError {
  readonly wire: GraphqlWireError;

  constructor(wire: GraphqlWireError) {
    super(wire.message);
    this.wire = wire;
  }
}

/** graphql-ws implements the protocol; the endpoint handles documents, limits, callers and execution. */
export function createSocketServer(transport: Transport): SocketServer {
  const { endpoint } = transport;
  const running = new Set<Promise<unknown>>();
  const server = makeServer<Record<string, unknown> | undefined, Extra>({
    connectionInitWaitTimeout: transport.limits.initTimeoutMs,
    onConnect: (context) => connected(context, transport),
    onClose: ({ extra }) => extra.stopExpiry?.(),
    onSubscribe: (context, _id, payload) => prepared(context, payload, transport),
    execute: (args) => {
      const { prepared, session } = args.contextValue as Execution;
      const result = endpoint.execute(prepared, session);
      running.add(result);
      void result.finally(() => running.delete(result));
      return result as never;
    },
    subscribe: (args) => {
      const { prepared, session } = args.contextValue as Execution;
      return endpoint.subscribe(prepared, session) as never;
    },
    onNext: (_context, _id, _payload, _args, result) => result as never,
    onError: (_context, _id, _payload, errors) =>
      errors.map((error) => (error instanceof WireError ? error.wire : error)) as never,
  });
  const serve: SocketServer['serve'] = (socket, request, { requestId, log }) => {
    const extra: Extra = { socket, request, requestId, log, address: transport.guards.clientAddress(request) };
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: sender(socket, transport.limits),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (receive) => socket.on('message', (data, isBinary) => received(extra, receive, data, isBinary)),
      },
      extra,
    );
    socket.on('error', () => socket.terminate());
    socket.once('close', (code, reason) => {
      Promise.resolve(closed(code, reason.toString())).catch((error: unknown) =>
        log.error({ err: error }, 'socket failed'),
      );
    });
  };
  const settled = async (): Promise<void> => {
    await Promise.allSettled(running);
  };
  return { serve, settled };
}

/** graphql-ws rejects both messages that the protocol forbids and internal errors. */
function received(
  { socket, log }: Extra,
  receive: (data: string) => Promise<void>,
  data: WebSocket.RawData,
  isBinary: boolean,
): void {
  if (isBinary) {
    socket.close(CloseCode.BadRequest, 'Messages must be text.');
    return;
  }
  receive(data.toString()).catch((error: unknown) => {
    const isCallers = error instanceof Error && /^Unexpected message/.test(error.message);
    if (!isCallers) log.error({ err: error }, 'socket failed');
    socket.close(
      isCallers ? CloseCode.BadRequest : CloseCode.InternalServerError,
      isCallers ? 'Unexpected message' : 'Internal server error',
    );
  });
}

/** Reads the token from the first message, else from the upgrade request. False closes the socket with 4403 Forbidden. */
async function connected({ extra, connectionParams }: SocketContext, transport: Transport): Promise<boolean> {
  const { socket, request, requestId: id, log } = extra;
  const given = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'];
  const { 'idempotency-key': _, ...headers } = request.headers;
  const credentials = { ...headers, ...(typeof given === 'string' && { authorization: given }) };
  extra.session = await transport.openSession({ id, log, headers: credentials, query: {} });
  if (extra.session.refusal) return false;
  const { expiresAtMs } = extra.session;
  // Clients reconnect after this code, with a new token.
  const expire = (): void => socket.close(CloseCode.Forbidden, 'The token has expired.');
  if (expiresAtMs !== undefined) extra.stopExpiry = callAt(expiresAtMs, transport.clock, expire);
  if (socket.readyState !== socket.OPEN) extra.stopExpiry?.();
  return true;
}

async function prepared({ extra, subscriptions }: SocketContext, payload: unknown, transport: Transport) {
  const { endpoint, guards } = transport;
  const session = extra.session!;
  try {
    const running = Object.keys(subscriptions).length;
    const { subscriptions: limit } = endpoint.limits;
    if (!guards.readiness.isReady) throw stopping();
    if (running > limit) throw limitExceeded('number of operations of the socket', running, limit);
    await guards.rateLimiter?.take({ subject: session.subject, address: extra.address });
    const ready = endpoint.prepare(parametersOf(payload), session);
    const { document, operationName } = ready;
    const contextValue: Execution = { prepared: ready, session };
    return { schema: endpoint.schema, document, operationName, contextValue } satisfies ExecutionArgs as ExecutionArgs;
  } catch (error) {
    const errors = error instanceof RequestError ? error.errors : [endpoint.formatError(error, session)];
    return errors.map((wire) => new WireError(wire));
  }
}

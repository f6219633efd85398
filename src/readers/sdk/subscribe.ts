import { createClient, type Client as SocketClient, type ClientOptions as SocketOptions } from 'graphql-ws';
import { ConnectionError } from './api-error.ts';
import type { Client } from './client.ts';
import { type Answer, apiErrorOf, type Document, dataOf, type VariablesOf, type WireError } from './graphql.ts';
import { LastVersions } from './last-versions.ts';

export interface SubscribeOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
  /** Runs once the server is listened to, and again after each reconnection. */
  readonly onConnected?: () => void;
  /**
   * Runs when events may have been missed, the connection having been lost for one: what they would have shown must be read
   * again. Without it, the subscription ends with an error then.
   */
  readonly onMissed?: () => void;
  /** How often a lost connection is tried again before it ends with `ConnectionError`, given `onMissed`. Default 10. */
  readonly maxRetries?: number;
  /**
   * Milliseconds of silence after which the server is asked for a sign of life, and again as many until the connection is
   * taken for lost: a network that drops packets closes nothing. Default 15,000.
   */
  readonly idleMs?: number;
}

/** The code of events that were missed by a subscription that goes on. */
const EVENTS_MISSED = 'EVENTS_MISSED';

/**
 * The events of a subscription, as they come (graphql-transport-ws), without those that show an older version of a row than
 * one before them. It reconnects when the connection is lost, with a token as of then. Leave the loop, or abort the signal,
 * to end it. Throws the `ApiError` of the code's own class, `ConnectionError`, or `TypeError` where WebSocket is missing.
 */
export async function* subscribe<Data, Variables>(
  client: Client,
  document: Document<Data, Variables>,
  ...rest: readonly [...VariablesOf<Variables>, options?: SubscribeOptions]
): AsyncGenerator<Data, void, undefined> {
  const [variables, options = {}] = rest as unknown as readonly [unknown?, SubscribeOptions?];
  const { signal, onMissed, onConnected, maxRetries = 10, idleMs = 15_000 } = options;
  if (signal?.aborted) return;
  let connections = 0;
  const connected = (): void => {
    connections += 1;
    onConnected?.();
    if (connections > 1) onMissed?.();
  };
  const socket = connect(client, { retryAttempts: onMissed ? maxRetries : 0, idleMs, connected });
  const answers = socket.iterate({
    query: document.toString(),
    variables: (variables ?? {}) as Record<string, unknown>,
  });
  const versions = new LastVersions();
  const end = (): void => void answers.return?.();
  signal?.addEventListener('abort', end, { once: true });
  try {
    for await (const answer of answers) {
      if (isMissed(answer as Answer)) {
        if (!onMissed) throw apiErrorOf((answer as Answer).errors![0]!, client);
        onMissed();
        continue;
      }
      const data = dataOf(answer as Answer, client) as Data;
      if (!versions.isOlder(Object.values(data ?? {})[0])) yield data;
    }
  } catch (error) {
    throw failureOf(error, client);
  } finally {
    signal?.removeEventListener('abort', end);
    await socket.dispose();
  }
}

interface Connecting {
  readonly retryAttempts: number;
  readonly idleMs: number;
  readonly connected: () => void;
}

function connect(client: Client, { retryAttempts, idleMs, connected }: Connecting): SocketClient {
  const { webSocket } = client;
  if (webSocket === undefined && !('WebSocket' in globalThis))
    throw new TypeError(
      'There is no WebSocket here, as in Node before version 22: install `ws` and pass its `WebSocket` to `createClient` as `webSocket`.',
    );
  let deadline: ReturnType<typeof setTimeout> | undefined;
  const alive = (): void => clearTimeout(deadline);
  const asked = (isByServer: boolean): void => {
    if (!isByServer) deadline = setTimeout(() => socket.terminate(), idleMs);
  };
  const socket = createClient({
    url: client.graphqlUrl.replace(/^http/, 'ws'),
    connectionParams: async () => {
      const token = await client.token();
      return token === undefined ? {} : { authorization: `Bearer ${token}` };
    },
    retryAttempts,
    keepAlive: idleMs,
    connectionAckWaitTimeout: idleMs,
    on: { connected, ping: asked, message: alive, closed: alive },
    ...(webSocket !== undefined && { webSocketImpl: webSocket as SocketOptions['webSocketImpl'] }),
  } as SocketOptions);
  return socket;
}

const isMissed = ({ errors }: Answer): boolean => errors?.[0]?.extensions?.code === EVENTS_MISSED;

/** graphql-ws throws the errors of the operation as they came, or the event that closed the socket. */
function failureOf(error: unknown, client: Client): unknown {
  if (Array.isArray(error)) return apiErrorOf(error[0] as WireError, client);
  if (error instanceof Error) return error;
  const { code, reason } = (error ?? {}) as { readonly code?: number; readonly reason?: string };
  return new ConnectionError(`The socket was closed: ${[code, reason].filter(Boolean).join(' ') || 'no connection'}`, {
    cause: error,
  });
}

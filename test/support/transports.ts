import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type GraphqlError, tokenOf } from './service.ts';
import type { Caller, Json } from './storefront.ts';

/** The parameters of a GraphQL request. */
export interface GraphqlParameters {
  readonly query?: string;
  readonly operationName?: string;
  readonly variables?: object;
  readonly extensions?: object;
  readonly documentId?: string;
}

/** What a GraphQL request is answered with; a socket has no status. */
export interface GraphqlAnswer {
  readonly status?: number;
  readonly data?: Json;
  readonly errors?: readonly GraphqlError[];
}

/** One way to send a GraphQL request. */
export interface GraphqlTransport {
  readonly name: string;
  send(port: number, parameters: GraphqlParameters, as?: Caller): Promise<GraphqlAnswer>;
}

const ACCEPT = 'application/graphql-response+json';

/** Every way to send a GraphQL request that has one answer. */
export const graphqlTransports: readonly GraphqlTransport[] = [
  {
    name: 'POST',
    async send(port, parameters, as) {
      const headers = { accept: ACCEPT, 'content-type': 'application/json', ...(await credentials(as)) };
      return answer(await fetch(urlOf(port), { method: 'POST', headers, body: JSON.stringify(parameters) }));
    },
  },
  {
    name: 'GET',
    async send(port, parameters, as) {
      const given = Object.entries(parameters).map(([name, value]) => [name, text(value)]);
      const headers = { accept: ACCEPT, ...(await credentials(as)) };
      return answer(await fetch(`${urlOf(port)}?${new URLSearchParams(Object.fromEntries(given))}`, { headers }));
    },
  },
  {
    name: 'WebSocket',
    async send(port, parameters, as) {
      const url = urlOf(port).replace('http', 'ws');
      const connectionParams = await credentials(as);
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      try {
        const { value } = await client.iterate({ query: '', ...parameters } as { query: string }).next();
        return value as GraphqlAnswer;
      } catch (errors) {
        return { errors } as GraphqlAnswer;
      } finally {
        await client.dispose();
      }
    },
  },
];

const urlOf = (port: number): string => `http://127.0.0.1:${port}/graphql`;

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

async function credentials(as: Caller | undefined): Promise<Record<string, string>> {
  return as ? { authorization: `Bearer ${await tokenOf({ sub: as.subject, scope: as.scope })}` } : {};
}

async function answer(response: Response): Promise<GraphqlAnswer> {
  return { status: response.status, ...((await response.json()) as GraphqlAnswer) };
}

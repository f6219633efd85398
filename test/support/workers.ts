import { execFileSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Instance } from './instance.ts';
import type { Json } from './storefront.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

/** Sends a request over a connection of its own, which the next worker gets. */
export function ask(
  { origin }: Instance,
  method: string,
  path: string,
  { token, body, agent }: { readonly token?: string; readonly body?: object; readonly agent?: Agent } = {},
): Promise<Answered> {
  const text = body && JSON.stringify(body);
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(text && { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
    ...(text && { 'content-length': Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(`${origin}${path}`, { method, headers, agent: agent ?? new Agent() }, (reply) => {
      let content = '';
      reply.setEncoding('utf8').on('data', (part: string) => {
        content += part;
      });
      reply.on('error', reject);
      reply.on('end', () =>
        resolve({ status: reply.statusCode!, headers: reply.headers, body: content && JSON.parse(content) }),
      );
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

/** The processes that serve. */
export const workersOf = ({ pid }: Instance): readonly number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A subscriber over a socket, which one of the workers serves; what it has received: values, and codes of errors. */
export async function subscriber({ origin }: Instance, field: string, value: string, token: string) {
  const client = createClient({
    url: `${origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${token}` },
  });
  const received: unknown[] = [];
  const events = client.iterate<Json>({ query: `subscription { ${field} { ${value} } }` });
  const ended = (async () => {
    for await (const { data, errors } of events)
      received.push(data?.[field] ? data[field][value] : errors?.[0]?.extensions?.['code']);
  })().catch(() => void received.push('closed'));
  // What is asked after a subscription is answered after it began.
  await client.iterate({ query: '{ __typename }' }).next();
  return {
    received,
    async end() {
      await client.dispose();
      await ended;
    },
  };
}

import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from './eventually.ts';
import { type As, type Service, tokenOf } from './service.ts';
import { CALLERS } from './tracker-world.ts';

type Told = Readonly<Record<string, readonly string[]>>;

/** What each caller is told of projects and issues while it listens. */
export interface TrackerEvents {
  /** Waits until each has been told as much as expected, and whatever was sent before that; rejects when that never is. */
  settled(expected: (as: As | undefined) => readonly string[]): Promise<Told>;
  end(): Promise<void>;
}

const FOLLOWED = ['issueUpdated { id }', 'projectUpdated { id budget }', 'issueDeleted'];

/** Subscribes as every caller. */
export async function followTracker(service: Service): Promise<TrackerEvents> {
  const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
  const told: Record<string, string[]> = {};
  const clients = Object.entries(CALLERS).map(([who, as]) => {
    const connectionParams = as && { authorization: `Bearer ${tokenOf(as)}` };
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      ...(connectionParams && { connectionParams }),
    });
    const into: string[] = [];
    told[who] = into;
    for (const field of FOLLOWED) void follow(client, field, into);
    return client;
  });
  // What is asked after a subscription is answered after it began, and after what was sent before.
  const flushed = async (): Promise<void> => {
    for (const client of clients) await client.iterate({ query: '{ __typename }' }).next();
  };
  await flushed();
  return {
    async settled(expected) {
      const counts = () => Object.entries(CALLERS).map(([who]) => [who, told[who]!.length]);
      const wanted = Object.entries(CALLERS).map(([who, as]) => [who, expected(as).length]);
      await eventually(() => expect(counts()).toEqual(wanted));
      await flushed();
      return told;
    },
    async end() {
      for (const client of clients) await client.dispose();
    },
  };
}

async function follow(client: ReturnType<typeof createClient>, field: string, into: string[]): Promise<void> {
  const name = field.split(' ')[0]!;
  for await (const { data } of client.iterate({ query: `subscription { ${field} }` })) {
    const value = (data as Record<string, unknown> | null | undefined)?.[name];
    if (value != null)
      into.push([name, ...(typeof value === 'string' ? [value] : Object.values(value).map(String))].join(' '));
  }
}

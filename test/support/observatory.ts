import type { ServerOptions } from '../../src/runtime/server.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import type { DatabaseKind } from './databases.ts';
import { type Reply, type Service, startService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: code without types, as it comes from a handlers folder
type Json = any;
type Work = (context: Json) => unknown;
type Write = (input: Json, context: Json, next: (input: Json) => Promise<Json>) => Promise<Json>;

/** `test/fixtures/observatory`, whose code does what a test says. */
export interface Observatory {
  readonly service: Service;
  /** What the custom operation does, over both protocols; it answers the number that this resolves to. */
  work: Work;
  /** What the overrides of `create`, `replace` and `update` of bookings do. */
  write: Write;
  /** Sends the operation by a protocol. */
  tally(protocol: Protocol, work: Work): Promise<Outcome>;
  /** Runs work in the transaction of an operation that succeeds, and resolves to its result. */
  run<T>(work: (context: Json) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type Protocol = 'REST' | 'GraphQL';
export const PROTOCOLS: readonly Protocol[] = ['REST', 'GraphQL'];

/** What a caller gets, by either protocol. */
export interface Outcome {
  readonly code: string | undefined;
  readonly text: string;
}

export const outcomeOf = ({ body, text }: Reply): Outcome => ({
  code: body?.code ?? body?.errors?.[0]?.extensions?.code,
  text,
});

export async function openObservatory(
  database: DatabaseKind,
  options: Partial<ServerOptions> = {},
): Promise<Observatory> {
  const answer = async (context: Json): Promise<Json> => {
    const made = await observatory.work(context);
    return typeof made === 'object' && made !== null ? made : { count: made ?? 0, label: 'done' };
  };
  const write: Write = (input, context, next) => observatory.write(input, context, next);
  const handlers = {
    overrides: { bookings: { create: write, replace: write, update: write } },
    operations: { tally: (_inputs: Json, context: Json) => answer(context) },
  } as unknown as AnyHandlers;
  const service = await startService('observatory', database, handlers, options);
  const observatory: Observatory = {
    service,
    work: () => 0,
    write: (input, _context, next) => next(input),
    async tally(protocol, work) {
      observatory.work = work;
      const input = { what: 'work' };
      if (protocol === 'REST') return outcomeOf(await service.request('POST', '/v1/tallies', { body: input }));
      const query = 'mutation ($input: TallyInput!) { tally(input: $input) { count label } }';
      return outcomeOf(await service.graphql(query, { variables: { input } }));
    },
    async run(work) {
      let result: unknown;
      const { code, text } = await observatory.tally('REST', async (context) => {
        result = await work(context);
      });
      if (code !== undefined) throw new Error(text);
      return result as never;
    },
    close: () => service.close(),
  };
  return observatory;
}

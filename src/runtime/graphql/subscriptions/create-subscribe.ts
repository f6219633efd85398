import { hash } from 'node:crypto';
import { createSourceEventStream, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import type { Session } from '../../admission/session.ts';
import { whenKnown } from '../../async/maybe-promise.ts';
import type { Turns } from '../../async/turns.ts';
import { missedEvents } from '../../engine/events/row-change.ts';
import type { Log } from '../../engine/interface/call.ts';
import { ApiError } from '../../errors/api-error.ts';
import { newRequestId } from '../../http/messages.ts';
import type { Prepared, Subscribe } from '../endpoint/endpoint.ts';
import type { GraphqlResult, GraphqlWireError } from '../endpoint/request.ts';
import type { Subscriber } from '../endpoint/subscriber.ts';
import type { AudienceOf } from './audience.ts';
import { Channel, type ChannelSource, type Member } from './channel.ts';

export interface SubscribeOptions {
  readonly schema: GraphQLSchema;
  /** A new context for each execution. */
  readonly contextOf: (session: Session, variables: Prepared['variables']) => object;
  readonly audienceOf: AudienceOf;
  readonly turns: Turns;
  readonly clock: () => number;
  /** A log for what is nobody's own request. */
  readonly logFor: (requestId: string) => Log;
  readonly wire: (result: ExecutionResult, session: Session) => GraphqlResult;
  readonly formatError: (error: unknown, session: Session) => GraphqlWireError;
}

/** Subscriptions: those with the same document and variables, and of the same audience, run once. */
export function createSubscribe(options: SubscribeOptions): Subscribe {
  const { audienceOf, clock, turns, formatError } = options;
  const shared = new Map<string, Channel>();
  const memberOf = (subscriber: Subscriber, session: Session, expiresAtMs: number): Member => ({
    subscriber,
    expiresAtMs,
    expired: () => ({ errors: [formatError(expired(), session)] }),
  });
  const open = (prepared: Prepared, session: Session, onEnd: () => void): Channel =>
    new Channel({ source: sourceOf(options, prepared, session), turns, clock, onEnd });

  return async (prepared, session, subscriber) => {
    const audience = audienceOf(prepared.document, session);
    if (audience && audience.expiresAtMs > clock()) {
      const key = hash('sha256', JSON.stringify([prepared.text, prepared.variables, audience.key]), 'base64');
      const requestId = newRequestId();
      const channel =
        shared.get(key) ??
        open(prepared, audience.session(requestId, options.logFor(requestId)), () => shared.delete(key));
      shared.set(key, channel);
      const leave = channel.join(memberOf(subscriber, session, audience.expiresAtMs));
      if ((await channel.started) === undefined) return leave;
      // One that cannot start says so with the caller's own request id.
    }
    const channel = open(prepared, session, () => {});
    const leave = channel.join(memberOf(subscriber, session, Number.POSITIVE_INFINITY));
    return (await channel.started) ?? leave;
  };
}

const expired = (): ApiError => new ApiError('UNAUTHENTICATED', { detail: 'The token has expired.' });

function sourceOf(options: SubscribeOptions, prepared: Prepared, session: Session): ChannelSource {
  const { schema, contextOf, wire, formatError } = options;
  const { document, variables: variableValues } = prepared;
  const failed = (error: unknown): GraphqlResult => ({ errors: [formatError(error, session)] });
  const args = () => ({ schema, document, variableValues, contextValue: contextOf(session, variableValues) });
  const executed = (rootValue: unknown) =>
    whenKnown(execute({ ...args(), rootValue }), (result) => wire(result as ExecutionResult, session));
  return {
    async start() {
      try {
        const started = await createSourceEventStream(args());
        return Symbol.asyncIterator in started ? started[Symbol.asyncIterator]() : wire(started, session);
      } catch (error) {
        return failed(error);
      }
    },
    execute: executed,
    missed: () => executed(missedIn(schema)),
    failed,
  };
}

/** An event that has been missed: reading the subscription's field throws. */
function missedIn(schema: GraphQLSchema): object {
  const throwing: PropertyDescriptor = {
    get() {
      throw missedEvents();
    },
  };
  const names = Object.keys(schema.getSubscriptionType()!.getFields());
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, throwing])));
}

import { setTimeout as after, setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isObjectType } from 'graphql';
import type { EventField } from '../../descriptor/graphql.ts';
import type { Caller } from '../harness/callers.ts';
import type { GraphqlRequests } from '../harness/graphql-requests.ts';
import type { Rows } from '../harness/rows.ts';
import type { Defect, ServerPair } from '../harness/server-pair.ts';
import { EventTap } from './event-tap.ts';

/** Turns of the event loop within which a published event normally arrives. */
const TURNS = 6;
/** How long to wait for an event that only one server has delivered, before that counts as a difference. */
const GRACE_MS = 250;

interface Subscription {
  readonly name: string;
  readonly document: string;
  readonly variables: object;
  readonly caller: Caller;
}

/** Subscribes to every event field on both servers, and compares the events. */
export class EventProof {
  readonly #rest: EventTap;
  readonly #graphql: EventTap;
  readonly #requests: GraphqlRequests;
  /** The callers that are subscribed. */
  callers: readonly Caller[] = [];
  #last: readonly string[] = [];
  /** The number of events compared. */
  count = 0;

  constructor(servers: ServerPair, requests: GraphqlRequests, defect?: Defect) {
    this.#rest = new EventTap(servers.rest, defect?.isEverywhere ? defect.event : undefined);
    this.#graphql = new EventTap(servers.graphql, defect?.event);
    this.#requests = requests;
  }

  /** Subscribes as each caller, to all events of a field and to those of one row. */
  async open(callers: readonly Caller[], rows: Rows): Promise<void> {
    this.callers = callers;
    for (const subscription of this.#subscriptions(callers, rows)) {
      const { name, document, variables, caller } = subscription;
      for (const tap of [this.#rest, this.#graphql]) await tap.open(name, document, variables, caller.authorization);
    }
  }

  *#subscriptions(callers: readonly Caller[], rows: Rows): Generator<Subscription> {
    const root = this.#requests.schema.getSubscriptionType();
    if (!isObjectType(root)) return;
    for (const [name, field] of Object.entries(root.getFields())) {
      const descriptor = this.#requests.descriptor.fields[`${root.name}.${name}`] as EventField;
      const selected = this.#requests.translators.selection.of(field.type);
      for (const caller of callers) {
        yield {
          name: subscriptionName(name, caller),
          document: `subscription { ${name} ${selected} }`,
          variables: {},
          caller,
        };
        const row = rows.pick(rows.resource(descriptor.resource), caller.subject);
        for (const { name: argument, type } of row ? field.args : []) {
          const value = row![descriptor.arguments[argument]!];
          if (value === null) continue;
          const document = `subscription($${argument}: ${type}) { ${name}(${argument}: $${argument}) ${selected} }`;
          yield { name: `${name}(${argument}) ${caller.name}`, document, variables: { [argument]: value }, caller };
        }
      }
    }
  }

  /** The events that a subscription received in the last step. */
  receivedBy(subscription: string): unknown[] {
    const received = this.#last.filter((line) => line.startsWith(`${subscription} {`));
    return received.map((line) => JSON.parse(line.slice(subscription.length + 1)));
  }

  /** How the events of a step differ between the servers; undefined when they are the same. */
  async difference(): Promise<string | undefined> {
    for (let i = 0; i < TURNS; i += 1) await turn();
    const rest = this.#rest.drain();
    const graphql = this.#graphql.drain();
    if (!isDeepStrictEqual(rest, graphql)) {
      await after(GRACE_MS);
      rest.push(...this.#rest.drain());
      graphql.push(...this.#graphql.drain());
    }
    this.count += rest.length;
    this.#last = rest;
    const missing = without(rest, graphql);
    const surplus = without(graphql, rest);
    if (missing.length + surplus.length === 0) return undefined;
    return `the events differ: only after REST ${JSON.stringify(missing)}, only after GraphQL ${JSON.stringify(surplus)}`;
  }

  /** Waits for events of the last step that neither server has delivered yet. How they differ, as `difference` does. */
  async settle(): Promise<string | undefined> {
    const before = this.#last;
    await after(GRACE_MS);
    const difference = await this.difference();
    this.#last = [...before, ...this.#last];
    return difference;
  }
}

/** Names a caller's subscription to all events of a field. */
export function subscriptionName(field: string, { name }: Caller): string {
  return `${field} ${name}`;
}

/** The entries of a list that are missing from another, counting duplicates. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((entry) => {
    const at = left.indexOf(entry);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

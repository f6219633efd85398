import { setTimeout as after, setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isObjectType } from 'graphql';
import type { EventField } from '../../descriptor/graphql.ts';
import type { Caller } from '../harness/callers.ts';
import type { GraphqlRequests } from '../harness/graphql-requests.ts';
import type { Rows } from '../harness/rows.ts';
import type { Servers } from '../harness/servers.ts';
import { EventTap } from './event-tap.ts';

/** Turns of the event loop in a row that ask for no other, after which an idle server has sent its events. */
const CALM_TURNS = 6;
/** How long to wait for an event that not all servers have delivered, before that counts as a difference. */
const GRACE_MS = 250;

interface Subscription {
  readonly name: string;
  readonly document: string;
  readonly variables: object;
  readonly caller: Caller;
}

/** Subscribes to every event field on all servers, and compares the events. */
export class EventProof {
  readonly #first: EventTap;
  readonly #others: readonly EventTap[];
  readonly #servers: Servers;
  readonly #requests: GraphqlRequests | undefined;
  /** The callers that are subscribed. */
  callers: readonly Caller[] = [];
  #last: readonly string[] = [];
  /** The number of events compared. */
  count = 0;

  /** Without GraphQL, nobody can subscribe. */
  constructor(servers: Servers, requests: GraphqlRequests | undefined) {
    const { first, others } = servers;
    this.#servers = servers;
    this.#first = new EventTap(first);
    this.#others = others.map((server) => new EventTap(server));
    this.#requests = requests;
  }

  /** Subscribes as each caller, to all events of a field and to those of one row. */
  async open(callers: readonly Caller[], rows: Rows): Promise<void> {
    this.callers = callers;
    for (const subscription of this.#subscriptions(callers, rows)) {
      const { name, document, variables, caller } = subscription;
      for (const tap of [this.#first, ...this.#others]) await tap.open(name, document, variables, caller.authorization);
    }
  }

  *#subscriptions(callers: readonly Caller[], rows: Rows): Generator<Subscription> {
    const requests = this.#requests;
    const root = requests?.schema.getSubscriptionType();
    if (!requests || !isObjectType(root)) return;
    for (const [name, field] of Object.entries(root.getFields())) {
      const descriptor = requests.descriptor.fields[`${root.name}.${name}`] as EventField;
      const selected = requests.translators.selection.of(field.type);
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
    await this.#calm();
    const first = this.#first.drain();
    const others = this.#others.map((tap) => ({ tap, events: tap.drain() }));
    if (others.some(({ events }) => !isDeepStrictEqual(first, events))) {
      await after(GRACE_MS);
      first.push(...this.#first.drain());
      for (const { tap, events } of others) events.push(...tap.drain());
    }
    this.count += first.length;
    this.#last = first;
    for (const { tap, events } of others) {
      const missing = without(first, events);
      const surplus = without(events, first);
      if (missing.length + surplus.length === 0) continue;
      const only = `only after ${this.#first.name} ${JSON.stringify(missing)}`;
      return `the events differ: ${only}, only after ${tap.name} ${JSON.stringify(surplus)}`;
    }
    return undefined;
  }

  /** Resolves when all servers are idle: how many turns they spread their events over depends on how fast the machine is. */
  async #calm(): Promise<void> {
    const { first, others } = this.#servers;
    const isBusy = (): boolean =>
      process.getActiveResourcesInfo().includes('Immediate') ||
      [first, ...others].some(({ store }) => store.reading > 0);
    for (let calm = 0; calm < CALM_TURNS; calm = isBusy() ? 0 : calm + 1) await turn();
  }

  /** Waits for events of the last step that no server has delivered yet. How they differ, as `difference` does. */
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

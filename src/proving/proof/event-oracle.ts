import { isDeepStrictEqual } from 'node:util';
import type { GraphQLField } from 'graphql';
import type { EventField } from '../../descriptor/graphql.ts';
import type { Id, ResourceDescriptor } from '../../descriptor/resource.ts';
import { readsOtherRows } from '../../descriptor/row-access.ts';
import type { Caller } from '../harness/callers.ts';
import type { GraphqlRequests } from '../harness/graphql-requests.ts';
import type { RestRequests } from '../harness/rest-requests.ts';
import type { Rows, StoredRecord } from '../harness/rows.ts';
import type { ProtocolServer } from '../harness/servers.ts';
import type { Step } from '../harness/step.ts';
import { type EventProof, subscriptionName } from './event-proof.ts';
import type { Judgement } from './judgement.ts';
import type { Reach } from './reach.ts';

const KINDS = { create: 'created', replace: 'updated', update: 'updated', delete: 'deleted' } as const;
type Write = keyof typeof KINDS;

export interface OracleOptions {
  readonly server: ProtocolServer;
  readonly requests: GraphqlRequests | undefined;
  readonly rest: RestRequests;
  readonly rows: Rows;
  readonly events: EventProof;
  readonly reach: Reach;
}

/**
 * Decides which subscribers must receive the event of a write, and with what: those who can see the row over REST,
 * with what they see there, and nobody else. It is not enough that all servers publish the same events, because they
 * run the same code.
 */
export class EventOracle {
  readonly #options: OracleOptions;

  constructor(options: OracleOptions) {
    this.#options = options;
  }

  /** To be called before a step is run; undefined when the step publishes no event. */
  async before(step: Step): Promise<Judgement | undefined> {
    const { resource, params, caller } = step;
    const kind = this.#kindOf(step);
    const field = kind && this.#field(resource.key, kind);
    if (!field || !resource.actions.get) return undefined;
    const row = this.#options.reach.row(resource, params, caller);
    // What each caller saw of a row that the step deletes.
    const seen = kind === 'deleted' && row ? await this.#seenBy(step, row) : undefined;
    return async (outcome) => {
      if (outcome.kind !== 'data') return undefined;
      if (kind === 'deleted') return this.#difference(step, field, String(outcome.value), seen ?? new Map(), true);
      const id = String((outcome.value as { id: Id }).id);
      const now = this.#options.rows.find(resource, id)!;
      if (kind === 'updated' && now?.['version'] === row?.['version']) return undefined;
      return this.#difference(step, field, id, await this.#seenBy(step, now), false);
    };
  }

  /** How the events of a step that succeeded differ from those that are due. */
  async #difference(
    step: Step,
    { name, type }: GraphQLField<unknown, unknown>,
    id: string,
    seenBy: ReadonlyMap<Caller, unknown>,
    isDeleted: boolean,
  ): Promise<string | undefined> {
    const { events, requests } = this.#options;
    if (!requests) return undefined;
    for (const [caller, seen] of seenBy) {
      const data = isDeleted ? id : requests.translators.selection.project(type, seen);
      const due = seen === undefined ? [] : [{ data: { [name]: data } }];
      const received = (): unknown[] =>
        events.receivedBy(subscriptionName(name, caller)).filter((one) => idIn(one, name) === id);
      const late = received().length < due.length ? await events.settle() : undefined;
      if (late !== undefined) return late;
      const found = received();
      if (isDeepStrictEqual(found, due)) continue;
      if (isDeleted && found.length === 0 && this.#mayMiss(step) && this.#hasMissed(name, caller)) continue;
      return `${caller.name} receives ${JSON.stringify(found)} from ${name} instead of ${JSON.stringify(due)}`;
    }
    return undefined;
  }

  /** Whether the rows that a deletion takes away may be those by which the caller saw it. */
  #mayMiss({ resource }: Step): boolean {
    const { rows } = this.#options;
    const levels: ResourceDescriptor[] = [resource];
    for (let { parent } = resource; parent; { parent } = levels.at(-1)!) levels.push(rows.resource(parent.resource));
    return levels.some(({ rowAccess }) => rowAccess?.read?.some(({ where }) => where && readsOtherRows(where)));
  }

  #hasMissed(field: string, caller: Caller): boolean {
    const received = this.#options.events.receivedBy(subscriptionName(field, caller)) as {
      errors?: readonly Failure[];
    }[];
    return received.some(({ errors }) => errors?.some(({ extensions }) => extensions?.code === 'EVENTS_MISSED'));
  }

  /** A replacement of no row creates one, where the contract says so. */
  #kindOf({ action, resource, params, caller }: Step): EventField['kind'] | undefined {
    if (action !== 'replace' || !resource.actions.replace?.creates) return KINDS[action as Write];
    return this.#options.reach.row(resource, params, caller) === undefined ? 'created' : KINDS.replace;
  }

  /** What each caller sees of a row over REST, undefined for nothing. Who cannot name it asks as one of its tenant. */
  async #seenBy({ resource }: Step, row: StoredRecord): Promise<ReadonlyMap<Caller, unknown>> {
    const { events, reach } = this.#options;
    const seenBy = new Map<Caller, unknown>();
    for (const caller of events.callers) {
      const asked = reach.within(resource, row, caller);
      if (asked) seenBy.set(caller, await this.#seen(resource, row, asked));
    }
    return seenBy;
  }

  async #seen(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): Promise<unknown> {
    const { server, rest, rows } = this.#options;
    const params = rows.paramsOf(resource, row);
    const get: Step = { resource, action: 'get', caller, label: 'seen', params, isFaulty: false };
    const { status, json } = await server.send(rest.request(get));
    return status === 200 && String((json as { id: Id }).id) === String(row['id']) ? json : undefined;
  }

  #field(resource: string, kind: EventField['kind']) {
    const { requests } = this.#options;
    const root = requests?.schema.getSubscriptionType();
    return Object.values(root?.getFields() ?? {}).find(({ name }) => {
      const field = requests?.descriptor.fields[`${root?.name}.${name}`];
      return field?.kind === kind && field.resource === resource;
    });
  }
}

interface Failure {
  readonly extensions?: { readonly code?: string };
}

function idIn(payload: unknown, field: string): unknown {
  const value = (payload as { data?: Record<string, unknown> | null }).data?.[field];
  return typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value;
}

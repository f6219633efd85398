import { isDeepStrictEqual } from 'node:util';
import type { EventField } from '../../descriptor/graphql.ts';
import type { Caller } from './callers.ts';
import { type EventProof, subscriptionName } from './event-proof.ts';
import type { GraphqlWords } from './graphql-words.ts';
import type { RestWords } from './rest-words.ts';
import type { Rows } from './rows.ts';
import type { Selection } from './selection.ts';
import type { Step } from './step.ts';
import type { Twin } from './twins.ts';

const KINDS = { create: 'created', replace: 'updated', update: 'updated', delete: 'deleted' } as const;
type Write = keyof typeof KINDS;

export interface OracleOptions {
  readonly twin: Twin;
  readonly words: GraphqlWords;
  readonly rest: RestWords;
  readonly rows: Rows;
  readonly selection: Selection;
  readonly events: EventProof;
}

/** What a step is expected to tell. */
export interface Expected {
  readonly kind: (typeof KINDS)[Write];
  readonly version: unknown;
  /** Who saw the row before. */
  readonly saw: ReadonlySet<Caller>;
}

/**
 * Says who has to be told of a write: those who may see the row over REST, what they see there, and nobody else. Both
 * servers telling the same is not enough: the same code tells it.
 */
export class EventOracle {
  readonly #options: OracleOptions;

  constructor(options: OracleOptions) {
    this.#options = options;
  }

  /** Before a step is run; undefined for one that writes nothing. */
  async before(step: Step): Promise<Expected | undefined> {
    const kind = KINDS[step.action as Write];
    const field = kind && this.#field(step.resource.key, kind);
    if (!field || !step.resource.actions.get) return undefined;
    const saw = new Set<Caller>();
    for (const caller of kind === 'deleted' ? this.#options.events.callers : [])
      if ((await this.#seen(step, caller, step.params)) !== undefined) saw.add(caller);
    return { kind, version: this.#version(step, step.params[step.resource.idParameter]), saw };
  }

  /** After a step that succeeded. In which way the events are not those expected. */
  async difference(step: Step, value: unknown, { kind, version, saw }: Expected): Promise<string | undefined> {
    const { rows, events } = this.#options;
    const id = kind === 'deleted' ? (value as string) : (value as { id: string }).id;
    const row = rows.find(step.resource, id);
    if (kind === 'updated' && row?.['version'] === version) return undefined;
    const { name, type } = this.#field(step.resource.key, kind)!;
    for (const caller of events.callers) {
      const seen =
        kind === 'deleted'
          ? saw.has(caller) || undefined
          : await this.#seen(step, caller, rows.paramsOf(step.resource, row!));
      const told = kind === 'deleted' ? id : this.#options.selection.project(type, seen);
      const expected = seen === undefined ? [] : [{ data: { [name]: told } }];
      const found = events.toldOf(subscriptionName(name, caller)).filter((one) => idIn(one, name) === id);
      if (isDeepStrictEqual(found, expected)) continue;
      return `${caller.name} is told ${JSON.stringify(found)} by ${name}, not ${JSON.stringify(expected)}`;
    }
    return undefined;
  }

  #version({ resource }: Step, id: string | undefined): unknown {
    return id === undefined ? undefined : this.#options.rows.find(resource, id.toLowerCase())?.['version'];
  }

  async #seen(step: Step, caller: Caller, params: Step['params']): Promise<unknown> {
    const { twin, rest } = this.#options;
    const get: Step = { resource: step.resource, action: 'get', caller, label: 'seen', params, isFaulty: false };
    const { status, json } = await twin.send(rest.request(get));
    return status === 200 ? json : undefined;
  }

  #field(resource: string, kind: EventField['kind']) {
    const { schema, descriptor } = this.#options.words;
    const root = schema.getSubscriptionType();
    return Object.values(root?.getFields() ?? {}).find(({ name }) => {
      const field = descriptor.fields[`${root!.name}.${name}`];
      return field?.kind === kind && field.resource === resource;
    });
  }
}

function idIn(payload: unknown, field: string): unknown {
  const value = (payload as { data?: Record<string, unknown> | null }).data?.[field];
  return typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value;
}

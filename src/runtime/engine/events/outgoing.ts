import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { NewEvent } from '../../storage/jobs.ts';
import type { Row } from '../../storage/store.ts';
import type { Resource } from '../resource/resource.ts';

/** The net change of one row. */
interface Change {
  readonly resource: Resource;
  readonly tenant: string;
  readonly kind: NewEvent['kind'];
  readonly row: Row;
  readonly before: Row | undefined;
}

/** Who has made the changes, and what led to them. */
type Cause = Pick<NewEvent, 'actor' | 'requestId' | 'depth' | 'traceparent' | 'now'>;

/** The changes of one transaction that code handles after its commit, each row with its net change. */
export class Outgoing {
  readonly #causeOf: (depth: number) => Cause;
  readonly #isAlone: boolean;
  readonly #changes = new Map<string, Change>();
  #isSent = false;

  /**
   * `causeOf`: where so many events have led to the transaction. `isAlone`: it has a single change, whose event is written along
   * with its row.
   */
  constructor(causeOf: (depth: number) => Cause, isAlone: boolean) {
    this.#causeOf = causeOf;
    this.#isAlone = isAlone;
  }

  /** Whether the transaction has an event. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /**
   * What adds a change; undefined if no handler is about its resource. `before`: the row before an update. `tenantOf`: of the
   * row, or of the rows above it, where that is not known from a change before.
   */
  adding(
    kind: NewEvent['kind'],
    resource: Resource,
    row: Row,
    before: Row | undefined,
    tenantOf: () => MaybePromise<string | undefined>,
  ): MaybePromise<(() => void) | undefined> {
    if (!resource.consumed || this.#isAlone) return undefined;
    const key = `${resource.descriptor.key} ${resource.valueIn(row, 'id')}`;
    return whenKnown(this.#changes.get(key)?.tenant ?? tenantOf(), (tenant = '') => () => {
      const first = this.#changes.get(key);
      if (first?.kind === 'created' && kind === 'deleted') this.#changes.delete(key);
      else
        this.#changes.set(key, {
          resource,
          tenant,
          ...(first ? merged(first, kind, row) : { kind, row, before }),
        });
    });
  }

  /** The event of the single change, before its row is written; undefined if there are others, or no handler is about it. */
  alone(kind: NewEvent['kind'], resource: Resource, row: Row, before?: Row): (() => NewEvent) | undefined {
    if (!resource.consumed || !this.#isAlone) return undefined;
    const { tenancy, valueIn } = resource;
    const tenant = tenancy ? String(valueIn(row, tenancy.property)) : '';
    const change = { resource, tenant, kind, row, before };
    if (!isHeard(change)) return undefined;
    this.#isSent = true;
    const cause = this.#causeOf(0);
    return () => eventOf(change, cause);
  }

  /**
   * Those that some handler is about, in the order of the first changes of their rows; undefined if nothing has changed. What
   * led to them is that of the moment, and they are made when they are asked for.
   */
  events(depth: number): (() => readonly NewEvent[]) | undefined {
    if (this.#changes.size === 0) return undefined;
    const cause = this.#causeOf(depth);
    return () => {
      const heard = [...this.#changes.values()].filter(isHeard);
      if (heard.length > 0) this.#isSent = true;
      return heard.map((change) => eventOf(change, cause));
    };
  }
}

/** Of a row that is deleted and made again, an update; of what is deleted, the row before the transaction. */
function merged(first: Change, kind: NewEvent['kind'], row: Row): Pick<Change, 'kind' | 'row' | 'before'> {
  if (first.kind === 'created') return { kind: 'created', row, before: undefined };
  if (kind === 'deleted') return { kind, row: first.before ?? row, before: undefined };
  return { kind: 'updated', row, before: first.kind === 'deleted' ? first.row : first.before };
}

/** Whether some handler is about a change. */
function isHeard({ resource, kind, row, before }: Change): boolean {
  const of = resource.consumed?.[kind];
  return of === 'any' || (of !== undefined && before !== undefined && differs(resource, of, row, before));
}

function eventOf({ resource, tenant, kind, row, before }: Change, cause: Cause): NewEvent {
  const { descriptor, codec, valueIn } = resource;
  return {
    ...cause,
    resource: descriptor.key,
    rowId: String(valueIn(row, 'id')),
    tenant,
    kind,
    version: JSON.stringify(valueIn(row, 'version')),
    row: codec.toJson(row),
    before: before ? codec.toJson(before, row) : null,
  };
}

/** Whether some of the named properties have other values. */
const differs = (
  { descriptor: { properties } }: Resource,
  named: ReadonlySet<string>,
  row: Row,
  before: Row,
): boolean => properties.some(({ name }, i) => row[i] !== before[i] && named.has(name));

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
type Cause = Pick<NewEvent, 'actor' | 'requestId' | 'depth' | 'traceparent'>;

/** The changes of one transaction that code handles after its commit, each row with its net change. */
export class Outgoing {
  readonly #changes = new Map<string, Change>();

  /** `before`: the row before an update. `tenantOf`: of the row, or of the rows above it, where that is not known from a change before. */
  add(
    kind: NewEvent['kind'],
    resource: Resource,
    row: Row,
    before: Row | undefined,
    tenantOf: () => MaybePromise<string | undefined>,
  ): MaybePromise<void> {
    const key = `${resource.descriptor.key} ${resource.valueIn(row, 'id')}`;
    return whenKnown(this.#changes.get(key)?.tenant ?? tenantOf(), (tenant = '') => {
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

  /** Those that some handler is about, in the order of the first changes of their rows. */
  events(cause: Cause): readonly NewEvent[] {
    return [...this.#changes.values()].flatMap((change) => eventOf(change, cause) ?? []);
  }
}

/** Of a row that is deleted and made again, an update; of what is deleted, the row before the transaction. */
function merged(first: Change, kind: NewEvent['kind'], row: Row): Pick<Change, 'kind' | 'row' | 'before'> {
  if (first.kind === 'created') return { kind: 'created', row, before: undefined };
  if (kind === 'deleted') return { kind, row: first.before ?? row, before: undefined };
  return { kind: 'updated', row, before: first.kind === 'deleted' ? first.row : first.before };
}

function eventOf({ resource, tenant, kind, row, before }: Change, cause: Cause): NewEvent | undefined {
  const { descriptor, codec, consumed, valueIn } = resource;
  const changed = before && descriptor.properties.filter((_, i) => row[i] !== before[i]).map(({ name }) => name);
  const of = consumed?.[kind];
  if (!of || (of !== 'any' && !changed?.some((name) => of.has(name)))) return undefined;
  const values = before && codec.toValues(before);
  const former = changed?.map((name) => [name, values?.[name] ?? null]);
  return {
    ...cause,
    ...{ resource: descriptor.key, rowId: String(valueIn(row, 'id')), tenant, kind },
    version: JSON.stringify(valueIn(row, 'version')),
    row: JSON.stringify(codec.toValues(row)),
    before: former ? JSON.stringify(Object.fromEntries(former)) : null,
  };
}

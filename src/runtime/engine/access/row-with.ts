import type { Id } from '../../../descriptor/resource.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { PathParams } from '../interface/call.ts';
import { normalized } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import { equals } from './filter.ts';
import { seenAt } from './find.ts';

const BY_ID = [{ property: 'id', direction: 'asc' }] as const;

/** The row with the values of a unique key, if it is visible to the caller in the collection of the path. */
export function rowWith(
  reader: Reader,
  resource: Resource,
  key: Readonly<Record<string, unknown>>,
  params: PathParams,
  principal: Principal | undefined,
): MaybePromise<Row | undefined> {
  const names = Object.keys(key);
  const row = resource.codec.toRow(normalized(resource, key));
  const named = names.map((name) => equals(name, resource.valueIn(row, name) as Id));
  const conditions = [...named, ...seenAt(resource, names[0] ?? 'id', params, principal)];
  const query = { resource: resource.descriptor.key, conditions, order: BY_ID, limit: 1 };
  return whenKnown(reader.list(query), ([found]) => found);
}

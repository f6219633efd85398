import { lookUp } from '../../../descriptor/look-up.ts';
import { type Id, type LinkDescriptor, namingProperty } from '../../../descriptor/resource.ts';
import { ApiError, type FieldError, remade } from '../../errors/api-error.ts';
import type { Condition, Reader } from '../../storage/store.ts';
import { checkFollowed } from '../access/field-checks.ts';
import { equals } from '../access/filter.ts';
import { rowNamed } from '../access/find.ts';
import { findVisible, withAncestorIds } from '../access/parents.ts';
import type { Call, PathParams } from '../interface/call.ts';
import type { Resource } from '../resource/resource.ts';
import { currentReader } from '../transaction/reading.ts';
import type { Runtime } from '../transaction/runtime.ts';
import type { Writes } from './batch.ts';

/** How often a link is tried while others make and end the same. */
const MAX_TRIES = 10;

const BY_ID = [{ property: 'id', direction: 'asc' }] as const;

/**
 * Creates the row of a resource that joins the two of the path, or deletes it; nothing is written if the caller sees that it
 * is there, or does not see one. Throws what `LinkOperation` says.
 */
export function linkAction(
  runtime: Runtime,
  join: Resource,
  { action, ends, parameter }: LinkDescriptor,
  writes: { readonly [W in 'create' | 'delete']: () => Writes[W] },
): (call: Call) => Promise<void> {
  const { parent, idParameter, key } = join.descriptor;
  const [{ property: from }, { property: to }] = ends;
  const above = lookUp(runtime.resources, ends[0].resource);
  const linked = lookUp(runtime.resources, ends[1].resource);
  const naming = namingProperty(join.descriptor);

  const idsAt = async (reader: Reader, { params, caller: { principal } }: Call): Promise<readonly [Id, Id]> => {
    const placed = await withAncestorIds(reader, above, params, principal);
    const row = await findVisible(reader, above, placed, principal);
    if (!row) throw above.notFound;
    const name = linked.nameOf({ [linked.descriptor.idParameter]: params[parameter] as Id });
    const other = await rowNamed(reader, linked, name, {}, principal);
    if (!other) throw linked.notFound;
    return [above.valueIn(row, 'id') as Id, linked.valueIn(other, 'id') as Id];
  };
  const joining = async (reader: Reader, [one, other]: readonly [Id, Id], seen: readonly Condition[]) => {
    const conditions = [equals(from, one), equals(to, other), ...seen];
    const [row] = await reader.list({ resource: key, conditions, order: BY_ID, limit: 1 });
    return row && (join.valueIn(row, 'id') as Id);
  };
  /** The parameters of the collection of the joining rows, which may be below one of the two. */
  const placeOf = (params: PathParams, ids: readonly [Id, Id]): PathParams => {
    if (!parent) return {};
    const { [idParameter]: _, ...others } = params;
    return { ...others, [parent.property]: parent.property === from ? ids[0] : ids[1] };
  };
  const write = async (call: Call, ids: readonly [Id, Id], found: Id | undefined): Promise<void> => {
    const params = placeOf(call.params, ids);
    const input = Object.fromEntries([from, to].map((name, i) => [name, ids[i]] as const));
    if (parent) delete input[parent.property];
    if (found === undefined) await writes.create()({ ...call, params, input });
    else await writes.delete()({ ...call, params: { ...params, [naming === 'id' ? idParameter : 'id']: found } });
  };
  /** The error with the parameters of the path in place of the properties that they are; a row that is gone is not found. */
  const inPath = (error: ApiError): ApiError => {
    const isAt = (one: FieldError, property: string): boolean => 'pointer' in one && one.pointer === `/${property}`;
    const { errors } = error;
    if (error.code === 'REFERENCE_NOT_FOUND' && errors?.some((one) => isAt(one, to))) return linked.notFound;
    if (error.code === 'REFERENCE_NOT_FOUND' && errors?.some((one) => isAt(one, from))) return above.notFound;
    const placed = ({ detail, code, ...place }: FieldError): FieldError => {
      const one = { detail, ...(code !== undefined && { code }), ...place } as FieldError;
      if (isAt(one, to)) return { parameter, detail };
      return isAt(one, from) ? { parameter: above.descriptor.idParameter, detail } : one;
    };
    return errors ? remade(error, { errors: errors.map(placed) }) : error;
  };

  return async (call) => {
    const { principal } = call.caller;
    for (const property of [from, to]) checkFollowed(join, property, principal);
    for (let tries = 1; ; tries += 1) {
      const reader = currentReader(runtime, call);
      const ids = await idsAt(reader, call);
      const found = await joining(reader, ids, join.filter.whole(principal));
      if ((found === undefined) === (action === 'unlink')) return;
      try {
        await write(call, ids, found);
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const isMoved = error.code === (action === 'link' ? 'ALREADY_EXISTS' : 'NOT_FOUND');
        // One that the caller does not see stays in its way.
        const isThere = isMoved && (await joining(reader, ids, [])) !== undefined;
        const isSeen = isThere && (await joining(reader, ids, join.filter.whole(principal))) !== undefined;
        if (!isMoved || tries === MAX_TRIES || (isThere && !isSeen)) throw inPath(error);
      }
    }
  };
}

import { type MaybePromise, rejected, whenKnown } from '../../async/maybe-promise.ts';
import type { Condition, Reader, Row } from '../../storage/store.ts';
import { shown } from '../access/fields.ts';
import { find as findRow, idNamedBy } from '../access/find.ts';
import { checkParents } from '../access/parents.ts';
import type { ReadCall } from '../interface/call.ts';
import type { Entity } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import { entityOfValues, RowEntity, type Values } from '../resource/row-codec.ts';
import { withinTenant } from '../transaction/code-scope.ts';
import { readerFor } from '../transaction/reading.ts';
import { readingOnly } from '../transaction/reading-only.ts';
import type { Runtime } from '../transaction/runtime.ts';

/** Throws `NOT_FOUND`. */
export function getAction(runtime: Runtime, resource: Resource): (call: ReadCall) => MaybePromise<Entity> {
  const override = runtime.overrides[resource.descriptor.key]?.get;
  const find = isOpen(resource) ? findNamed : findRow;

  // What code gets is the whole row.
  const columnsOf = override ? undefined : resource.columnsOf;

  const readRow = (reader: Reader, { params, asked, caller: { principal } }: ReadCall): MaybePromise<RowEntity> => {
    const columns = asked && columnsOf?.(asked);
    return whenKnown(find(reader, resource, params, principal, columns), (row) => new RowEntity(resource, row));
  };

  const readBelow = (reader: Reader, call: ReadCall): MaybePromise<RowEntity> =>
    whenKnown(checkParents(reader, resource, call.params, call.caller.principal, 'read'), () => readRow(reader, call));

  const readFrom = resource.parent ? readBelow : readRow;

  const readShown = (reader: Reader, call: ReadCall): MaybePromise<Entity> =>
    whenKnown(readFrom(reader, call), ({ row }) => shown(reader, resource, row, call.caller.principal));

  const readAs = resource.fields ? readShown : readFrom;

  const read = (call: ReadCall): MaybePromise<Entity> =>
    whenKnown(readerFor(runtime, call.caller), (reader) => readAs(reader, call));

  if (!override) return read;
  return async (call) => {
    const reader = await readerFor(runtime, call.caller);
    const next = async (): Promise<Values> => (await readFrom(reader, call)).value;
    const seen = resource.filter.isRuled ? await readFrom(reader, call) : undefined;
    const reading = readingOnly(runtime, call.caller, reader);
    const context = (await withinTenant(runtime, reading, resource, call, seen?.row)).context(call);
    const id = await idNamedBy(reader, resource, call.params, call.caller.principal);
    const { row } = entityOfValues(resource, (await override(id as never, context, next)) as Values);
    return shown(reader, resource, row, call.caller.principal);
  };
}

/** Whether every caller sees each row that its path names. */
const isOpen = ({ filter, parent }: Resource): boolean => filter.isOpen && !parent;

/** The row that a path names, whoever asks for it. Throws `NOT_FOUND`. */
const findNamed: typeof findRow = (reader, resource, params, _principal, columns) => {
  const { property, value } = resource.nameOf(params);
  return whenKnown(
    reader.get(resource.descriptor.key, value, NO_CONDITIONS, property, columns),
    (row): MaybePromise<Row> => row ?? rejected(resource.notFound),
  );
};

const NO_CONDITIONS: readonly Condition[] = [];

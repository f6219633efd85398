import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { FieldView, Permission } from '../resource/field-rule.ts';
import type { Resource } from '../resource/resource.ts';
import { entityOfRow, RowEntity } from '../resource/row-entity.ts';

/**
 * Rows as a caller sees them: what it may not read of each is null. Takes a statement for each rule that reads other
 * rows.
 */
export function shownAll(
  reader: Reader,
  resource: Resource,
  rows: readonly Row[],
  principal: Principal | undefined,
): MaybePromise<readonly RowEntity[]> {
  const view = resource.fields?.viewFor(principal);
  if (!view || rows.length === 0) return rows.map((row) => entityOfRow(resource, row));
  return whenKnown(hiddenIn(reader, resource, rows, view), (hidden) =>
    rows.map((row, at) => masked(resource, row, hidden[at]!)),
  );
}

/** `shownAll` of one row. */
export function shown(
  reader: Reader,
  resource: Resource,
  row: Row,
  principal: Principal | undefined,
): MaybePromise<RowEntity> {
  if (!resource.fields) return entityOfRow(resource, row);
  return whenKnown(shownAll(reader, resource, [row], principal), ([entity]) => entity!);
}

/** The properties of a row that a caller may not read. */
export function hiddenOf(
  reader: Reader,
  resource: Resource,
  row: Row,
  principal: Principal | undefined,
): MaybePromise<readonly string[]> {
  const view = resource.fields?.viewFor(principal);
  return view ? whenKnown(hiddenIn(reader, resource, [row], view), ([hidden]) => hidden!) : [];
}

/** Whether a permission holds for each of the rows, by the values given here. */
export function permits(
  reader: Reader,
  { descriptor: { key } }: Resource,
  rows: readonly Row[],
  { conditions, test }: Permission,
): MaybePromise<readonly boolean[]> {
  return test ? rows.map(test) : reader.meetEach(key, rows, conditions);
}

/** The names of what is hidden of each row, in one order. */
function hiddenIn(
  reader: Reader,
  resource: Resource,
  rows: readonly Row[],
  { limited }: FieldView,
): MaybePromise<readonly (readonly string[])[]> {
  const hidden = rows.map((): string[] => []);
  const ask = (from: number): MaybePromise<readonly (readonly string[])[]> => {
    const fields = limited[from];
    if (!fields) return hidden;
    return whenKnown(permits(reader, resource, rows, fields), (readable) => {
      for (const [at, names] of hidden.entries()) if (!readable[at]) names.push(...fields.names);
      return ask(from + 1);
    });
  };
  return ask(0);
}

function masked(resource: Resource, row: Row, hidden: readonly string[]): RowEntity {
  if (hidden.length === 0) return entityOfRow(resource, row);
  const values = [...row];
  for (const name of hidden) values[resource.index(name)] = null;
  return new RowEntity(resource, values, resource.fields!.tagOf(hidden.toSorted()));
}

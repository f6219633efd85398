import type { Id, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from '../harness/callers.ts';
import type { Rows, StoredRecord } from '../harness/rows.ts';
import type { Step } from '../harness/step.ts';

/**
 * Why a step must be refused by `x-owner` alone: its input refers to a row that its caller does not see, and the row that it
 * changes, if any, does not. To be asked before the step is run; undefined where there is no such reference.
 */
export function hiddenReference(
  { resource, caller, input }: Step,
  row: StoredRecord | undefined,
  rows: Rows,
): string | undefined {
  const hidden = Object.entries((input ?? {}) as Readonly<Record<string, unknown>>).find(([name, id]) => {
    const { references } = resource.properties.find((one) => one.name === name) ?? {};
    if (!references || references.allowsHidden || name === resource.owner?.property || id === null) return false;
    const target = rows.resource(references.resource);
    const found = rows.with(target, 'id', id);
    return found && found['id'] !== row?.[name] && isHidden(target, found, caller, rows);
  });
  return hidden && `by \`x-owner\`, ${caller.name} may not refer to the row that \`${hidden[0]}\` names, but did`;
}

function isHidden({ owner, parent }: ResourceDescriptor, row: StoredRecord, caller: Caller, rows: Rows): boolean {
  const isExempt = owner?.scope !== undefined && caller.scopes.has(owner.scope);
  if (owner?.reads === 'owner' && !isExempt && row[owner.property] !== caller.subject) return true;
  const above = parent && rows.resource(parent.resource);
  const record = above && rows.find(above, row[parent.property] as Id);
  return record !== undefined && isHidden(above!, record, caller, rows);
}

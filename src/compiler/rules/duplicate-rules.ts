import type { PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { snakeCase } from '../model/naming.ts';
import { atOperation } from './place.ts';
import type { Check, Fault } from './rule.ts';

/** Resources, and properties of a resource, have different names in code and in the database. */
export const nameDuplicate: Check = function* ({ resources }) {
  for (const [index, resource] of resources.entries()) {
    const other = resources.slice(0, index).find(({ key, table }) => key === resource.key || table === resource.table);
    if (other !== undefined) {
      yield {
        severity: 'error',
        message: `\`${resource.path}\` and \`${other.path}\` would both be ${other.key === resource.key ? `named \`${other.key}\` in handlers` : `stored in the table \`${other.table}\``}.`,
        hint: 'Rename one of the collections.',
        ...atOperation(resource.operations.get!),
      };
    }
    yield* columnDuplicates(resource);
  }
};

function* columnDuplicates({ name, schema }: ResourceDraft): Iterable<Fault> {
  const columns = new Map<string, PropertyDraft>();
  for (const property of schema.properties.values()) {
    const column = snakeCase(property.name);
    const other = columns.get(column);
    columns.set(column, other ?? property);
    if (other === undefined) continue;
    yield {
      severity: 'error',
      message: `\`${name}.${property.name}\` and \`${name}.${other.name}\` would both be stored in the column \`${column}\`.`,
      hint: 'Rename one of them.',
      node: property.holder,
      key: property.name,
    };
  }
}

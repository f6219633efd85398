import type { PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { snakeCase } from '../model/naming.ts';
import { atOperation } from './place.ts';
import type { Check, Fault } from './rule.ts';

/** Two resources, or two properties of one, would share a name in the code or in the store. */
export const nameDuplicate: Check = function* ({ resources }) {
  for (const [index, resource] of resources.entries()) {
    const rival = resources.slice(0, index).find(({ key, table }) => key === resource.key || table === resource.table);
    if (rival !== undefined) {
      yield {
        severity: 'error',
        message: `\`${resource.path}\` and \`${rival.path}\` would both be ${rival.key === resource.key ? `\`${rival.key}\` to handlers` : `the table \`${rival.table}\``}.`,
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
    const rival = columns.get(column);
    columns.set(column, rival ?? property);
    if (rival === undefined) continue;
    yield {
      severity: 'error',
      message: `\`${name}.${property.name}\` and \`${name}.${rival.name}\` would both be the column \`${column}\`.`,
      hint: 'Rename one of them.',
      node: property.holder,
      key: property.name,
    };
  }
}

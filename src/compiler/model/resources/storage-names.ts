import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import type { ObjectDraft, PropertyDraft } from '../draft.ts';
import { snakeCase, tableName } from '../naming.ts';

/** The column of a property: its name in snake_case, unless `x-column` names another. */
export const columnOf = ({ name, flat }: PropertyDraft): string => declared(flat, 'x-column') ?? snakeCase(name);

/** The table of a collection: after its path, unless `x-table` of its schema names another. */
export const tableOf = (path: string, { flat }: ObjectDraft): string => declared(flat, 'x-table') ?? tableName(path);

function declared({ keywords }: FlatSchema, name: string): string | undefined {
  const value = keywords.get(name)?.value;
  return typeof value === 'string' ? value : undefined;
}

import type { ColumnZone, MappedTable } from '../../../descriptor/resource.ts';
import { type FlatSchema, isSchemaObject } from '../../json-schema/flat-schema.ts';
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

/** The table of others that a schema stands for: its `x-table` is an object. */
export function mappedTable({ flat }: ObjectDraft): MappedTable | undefined {
  const value = flat.keywords.get('x-table')?.value;
  if (!isSchemaObject(value)) return undefined;
  const { schema, name } = value;
  return typeof schema === 'string' && typeof name === 'string' ? { schema, name } : undefined;
}

/** The columns of a property in a mapped table, and the zone of its times. */
export function mappedColumns({ name, flat }: PropertyDraft): {
  readonly columns: readonly string[];
  readonly zone?: ColumnZone;
} {
  const value = flat.keywords.get('x-column')?.value;
  if (Array.isArray(value)) return { columns: value.map(String) };
  if (isSchemaObject(value)) return { columns: [String(value['name'])], zone: value['zone'] as ColumnZone };
  return { columns: [typeof value === 'string' ? value : snakeCase(name)] };
}

/** Whether the version of a mapped row is a hash of it: a text, which has no column. */
export const isHash = ({ name, type }: Pick<PropertyDraft, 'name' | 'type'>): boolean =>
  name === 'version' && type === 'string';

import { snakeCase } from '../../../src/compiler/model/naming.ts';
import type { Json } from '../../support/storefront.ts';
import type { Entry, TableName } from './history.ts';

export const idOf = ({ row }: Entry): string => String(row['id']);
export const versionOf = ({ row }: Entry): number => Number(row['version']);

/** What each write puts into its row, so that the log tells which one it was. */
function markOf(table: TableName, row: Entry['row']): string {
  if (table === 'orders_items') return `${row['order_id']}:${row['quantity']}`;
  return String(row[table === 'products' ? 'name' : 'note']);
}

/** The committed changes, by row, by version and by mark. */
export class CommitLog {
  readonly entries: readonly Entry[];
  readonly rows = new Map<string, Entry[]>();
  /** The entries that put a mark into a row. */
  readonly marked = new Map<string, Entry[]>();
  readonly #versions = new Map<string, Entry>();

  constructor(entries: readonly Entry[]) {
    this.entries = entries.toSorted((one, other) => one.position - other.position);
    for (const entry of this.entries) this.#add(entry);
  }

  /** The row as a version of it was committed. */
  at(id: string, version: number): Entry | undefined {
    return this.#versions.get(`${id} ${version}`);
  }

  last(id: string): Entry | undefined {
    return this.rows.get(id)?.at(-1);
  }

  isDeleted(id: string): boolean {
    return this.last(id)?.operation === 'delete';
  }

  #add(entry: Entry): void {
    const { table, operation, row } = entry;
    const before = this.last(idOf(entry));
    const entries = this.rows.get(idOf(entry)) ?? [];
    this.rows.set(idOf(entry), entries);
    entries.push(entry);
    if (operation === 'delete') return;
    this.#versions.set(`${row['id']} ${row['version']}`, entry);
    const mark = markOf(table, row);
    if (before && markOf(table, before.row) === mark) return;
    this.marked.set(mark, [...(this.marked.get(mark) ?? []), entry]);
  }
}

/** The properties of a body that differ from the columns of a row; objects and lists are not compared. */
export function differences(body: Json, { row }: Entry): string[] {
  return Object.entries(body)
    .filter(([name, value]) => snakeCase(name) in row && !(typeof value === 'object' && value !== null))
    .filter(([name, value]) => !isSame(value, row[snakeCase(name)]))
    .map(([name, value]) => `${name} ${value} for ${row[snakeCase(name)]}`);
}

/** Databases have their own words for times and numbers. */
function isSame(value: unknown, stored: unknown): boolean {
  if (value === stored || String(value) === String(stored)) return true;
  const [one, other] = [Date.parse(String(value)), Date.parse(String(stored))];
  return typeof value === 'string' && !Number.isNaN(one) && one === other;
}

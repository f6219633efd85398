import { tenantKeysOf } from '../../src/descriptor/layout.ts';
import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';

/** The columns that name the tenants of tables whose keys begin with them, by table. */
export function tenantColumns(resources: readonly ResourceDescriptor[]): ReadonlyMap<string, string> {
  const keys = tenantKeysOf(resources);
  return new Map(
    resources.flatMap(({ key, table }): [string, string][] => {
      const own = keys.get(key);
      return own ? [[table, own.column.column]] : [];
    }),
  );
}

/**
 * The tables of tenants that a statement of the server reads or changes without a comparison of their tenant with a value,
 * in the same subquery.
 */
export function unnamedIn(text: string, columns: ReadonlyMap<string, string>): readonly string[] {
  return queriesIn(text).flatMap((query) => {
    const left = new Map<string, number>();
    const count = (name: string, by: number) => left.set(name, (left.get(name) ?? 0) + by);
    for (const [, table = '', alias = table] of query.matchAll(/\b(?:from|join|update) "(\w+)"(?: as "(\w+)")?/g))
      if (columns.has(table)) count(`${alias === table ? '' : alias}.${columns.get(table)}`, 1);
    for (const [, name = '', column] of query.matchAll(/(?:"(\w+)"\.)?"(\w+)" = \$\d+/g))
      count(`${columns.has(name) ? '' : name}.${column}`, -1);
    return [...left].flatMap(([name, mentions]) => (mentions > 0 ? [name] : []));
  });
}

/** A statement and its subqueries, each without those within. */
function queriesIn(text: string): readonly string[] {
  const queries: string[] = [];
  const open = [''];
  for (const [i, character] of [...text].entries()) {
    if (character === '(') open.push(text.startsWith('select ', i + 1) ? '' : '(');
    else if (character === ')') {
      const inner = open.pop() ?? '';
      if (inner.startsWith('(')) open[open.length - 1] += `${inner})`;
      else queries.push(inner);
    } else open[open.length - 1] += character;
  }
  return [...queries, ...open];
}

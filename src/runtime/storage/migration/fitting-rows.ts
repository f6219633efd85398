import { quotedText } from '../../../descriptor/migration/literal.ts';
import type { RowsFit } from '../../../descriptor/migration/plan-columns.ts';
import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import { type PropertyDescriptor, type ResourceDescriptor, resourceWithKey } from '../../../descriptor/resource.ts';
import type { MigrationTarget } from './target.ts';

type Live = ReadonlyMap<string, LiveTable>;

/** Which columns that the contract no longer has hold, in all rows, values that only few properties allow: those of an enum, or ids of other rows. */
export async function fittingRows(
  { run, dialect: { quote, typeOf } }: MigrationTarget,
  resources: readonly ResourceDescriptor[],
  live: Live,
): Promise<RowsFit> {
  const fitting = new Set<string>();
  for (const { table, properties } of resources) {
    const columns = live.get(table)?.columns ?? new Map();
    const extra = [...columns].filter(([name]) => properties.every(({ column }) => column !== name));
    for (const property of properties.filter(({ column }) => !columns.has(column)))
      for (const [column, { type }] of extra) {
        const allowed = type === typeOf(property) && allowedBy(property, resources, live, quote);
        if (!allowed) continue;
        const fits = `count(case when ${quote(column)} in (${allowed}) then 1 end)`;
        const [[all, fit] = []] = await run(`select count(${quote(column)}), ${fits} from ${quote(table)}`);
        if (Number(all) > 0 && all === fit) fitting.add(`${table}.${column}.${property.name}`);
      }
  }
  return (table, column, { name }) => fitting.has(`${table}.${column}.${name}`);
}

/** The values of a property that has few, as SQL; undefined: it may have any. */
function allowedBy(
  { references, enum: values }: PropertyDescriptor,
  resources: readonly ResourceDescriptor[],
  live: Live,
  quote: (name: string) => string,
): string | undefined {
  if (!references) return values?.map(quotedText).join(', ');
  const { table } = resourceWithKey(resources, references.resource);
  return live.has(table) ? `select ${quote('id')} from ${quote(table)}` : undefined;
}

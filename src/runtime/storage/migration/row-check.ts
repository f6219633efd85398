import type { Schema } from '../../../descriptor/document.ts';
import { quotedText } from '../../../descriptor/migration/literal.ts';
import type { RowShapes } from '../../../descriptor/migration/row-shapes.ts';
import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { Difference } from '../../../descriptor/migration/step.ts';
import { type Tightened, tightened } from '../../../descriptor/migration/tightened.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { rowsById } from '../rows-by-id.ts';
import type { Row } from '../store.ts';
import type { MigrationTarget, Report } from './target.ts';

/** How a row deviates from the contract. */
export interface RowFault {
  /** Name of the property; empty: the row as a whole. */
  readonly property: string;
  /** What it must be, after the name: `must have at most 1 character`. */
  readonly detail: string;
}

/** Makes the check for rows of a resource, which may lack properties that are yet to be added. */
export type JudgeRows = (resource: ResourceDescriptor) => (row: Row) => readonly RowFault[];

/** Rows that have to be read, because a contract is stricter than what they are known to meet. */
export interface RowCheck {
  readonly resource: ResourceDescriptor;
  readonly tightened: Tightened;
}

const REPORTED_ROWS = 10_000;
const NAMED_ROWS = 3;

/** The tables with rows that have to be checked. `before`: what the rows are known to meet. */
export function planRowChecks(
  resources: readonly ResourceDescriptor[],
  live: ReadonlyMap<string, LiveTable>,
  before: RowShapes | undefined,
  now: RowShapes,
): RowCheck[] {
  return resources.flatMap((resource) => {
    const columns = live.get(resource.table)?.columns;
    const found = columns && tightened(before, now, resource.table);
    if (!found) return [];
    // What is added gets the contract's own value.
    const isThere = (name: string): boolean =>
      resource.properties.some((property) => property.name === name && columns.has(property.column));
    const properties = found.properties.filter(isThere);
    return properties.length > 0 || found.isWhole ? [{ resource, tightened: { ...found, properties } }] : [];
  });
}

interface Group extends RowFault {
  count: number;
  readonly ids: string[];
}

/** Reads all rows of a table and returns how those that the contract does not allow deviate, with their number. */
export async function checkRows(
  target: MigrationTarget,
  check: RowCheck,
  judge: JudgeRows,
  shapes: RowShapes,
  report: Report,
): Promise<Difference[]> {
  const live = (await target.liveTables()).get(check.resource.table)!;
  const present = check.resource.properties.filter(
    (property) => live.columns.get(property.column)?.type === target.dialect.typeOf(property),
  );
  const resource = onlyRows(check.resource, present);
  const faultsOf = judge(resource);
  const groups = new Map<string, Group>();
  const id = present.findIndex(({ name }) => name === 'id');
  let count = 0;
  for await (const rows of rowsById(target.reader(resource), resource)) {
    for (const row of rows)
      for (const fault of faultsOf(row))
        if (concerns(check.tightened, fault) && !isEmpty(present, row, fault)) add(groups, fault, String(row[id]));
    count += rows.length;
    if (count % REPORTED_ROWS === 0) report(`check ${count.toLocaleString('en')} rows of ${resource.table}`);
  }
  const { table } = resource;
  return [...groups.values()].map((group) => ({
    what: `rows of ${table} break the contract: ${group.property || 'the row'} ${group.detail}: ${counted(group)}`,
    byHand: [fix(target, resource, group, schemaOf(shapes, table, group.property))],
    isHarmless: false,
  }));
}

/** A resource as far as its rows are read by id: what else it promises may be of properties that are yet to be added. */
function onlyRows(resource: ResourceDescriptor, properties: readonly PropertyDescriptor[]): ResourceDescriptor {
  const { key, name, table, path, idParameter, schemas } = resource;
  return { key, name, table, path, idParameter, schemas, properties, actions: {}, unique: [] };
}

const concerns = ({ properties, isWhole }: Tightened, { property }: RowFault): boolean =>
  isWhole || properties.includes(property);

/** Rows without a required value are counted with the column that is to be required. */
function isEmpty(properties: readonly PropertyDescriptor[], row: Row, { property }: RowFault): boolean {
  const i = properties.findIndex(({ name }) => name === property);
  return i >= 0 && row[i] === null && properties[i]!.required && !properties[i]!.nullable;
}

function add(groups: Map<string, Group>, fault: RowFault, id: string): void {
  const key = `${fault.property} ${fault.detail}`;
  const group = groups.get(key) ?? { ...fault, count: 0, ids: [] };
  groups.set(key, group);
  group.count += 1;
  if (group.ids.length < NAMED_ROWS) group.ids.push(id);
}

/** `12 rows (ids a, b, c, …)`. */
function counted({ count, ids }: Group): string {
  const more = count > ids.length ? ', …' : '';
  return `${count.toLocaleString('en')} ${count === 1 ? 'row (id' : 'rows (ids'} ${ids.join(', ')}${more})`;
}

function fix(
  { dialect }: MigrationTarget,
  { table, properties }: ResourceDescriptor,
  { property: name, ids, count }: Group,
  schema: Schema | undefined,
): string {
  const property = properties.find((one) => one.name === name);
  const more = count > ids.length ? ' /* and the others */' : '';
  const these = `${dialect.quote('id')} in (${ids.map(quotedText).join(', ')}${more})`;
  if (!property) return `select * from ${dialect.quote(table)} where ${these}`;
  const column = dialect.quote(property.column);
  const where = outside(column, schema) ?? these;
  return `update ${dialect.quote(table)} set ${column} = /* what these rows get */ where ${where}`;
}

/** The schema of a property, its reference followed. */
function schemaOf({ tables, definitions }: RowShapes, table: string, property: string): Schema | undefined {
  const schema = tables[table]?.properties[property]?.schema;
  const reference = typeof schema === 'object' && Object.keys(schema).length === 1 ? schema['$ref'] : undefined;
  return typeof reference === 'string' ? definitions[reference] : schema;
}

/** Finds values outside an enum, a length or a bound, where that is all that the schema says. */
function outside(column: string, schema: Schema | undefined): string | undefined {
  if (typeof schema !== 'object') return undefined;
  const { type: _, ...rules } = schema;
  const tests = Object.entries(rules).map(([keyword, value]) => {
    switch (keyword) {
      case 'enum':
        return `${column} not in (${(value as readonly unknown[]).map((one) => quotedText(String(one))).join(', ')})`;
      case 'maxLength':
        return `length(${column}) > ${value}`;
      case 'minLength':
        return `length(${column}) < ${value}`;
      case 'maximum':
        return `${column} > ${value}`;
      case 'minimum':
        return `${column} < ${value}`;
      default:
        return undefined;
    }
  });
  return tests.length > 0 && !tests.includes(undefined) ? tests.join(' or ') : undefined;
}

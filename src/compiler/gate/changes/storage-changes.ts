import { planMigration } from '../../../descriptor/migration/plan.ts';
import { postgresSchema } from '../../../descriptor/migration/postgres-schema.ts';
import { isRequired, referenced } from '../../../descriptor/migration/references.ts';
import type { LiveColumn, LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { type Table, tablesOf } from '../../../descriptor/table.ts';
import { upperFirst } from '../../model/naming.ts';
import type { Change } from './change.ts';
import type { Edition } from './edition.ts';

/** Changes that a database of the released contract needs by hand, or would ignore, to match the current contract. */
export function storageChanges(released: Edition, current: Edition): readonly Change[] {
  const live = liveTables(ownResources(released));
  const own = ownResources(current);
  const { differences } = planMigration(postgresSchema, own, live);
  const needed = new Set(own.map(({ table }) => table));
  const dropped = [...live.keys()].filter((table) => !needed.has(table));
  return [
    // Whether a column has values, the database knows.
    ...differences.map(({ what, isHarmless, rows }) =>
      change(current, what, rows?.kind === 'filled' ? rows.isHarmless : isHarmless),
    ),
    ...dropped.map((table) => change(current, `table ${table} is not in the contract`, true)),
  ];
}

/** Another program owns the tables of the rest. */
const ownResources = ({ model }: Edition): readonly ResourceDescriptor[] =>
  model.resources.filter(({ mapped }) => !mapped);

/** An unused table or column stays in the database, with its data, until it is dropped by hand. */
function change(current: Edition, what: string, isHarmless: boolean): Change {
  const [, table, column] = /(?:table|column) (\w+)(?:\.(\w+))?/.exec(what) ?? [];
  return {
    impact: isHarmless ? 'patch' : 'major',
    area: 'storage',
    rule: isHarmless ? 'storage-unused' : 'storage-needs-migration',
    subject: [table, column].filter((name) => name !== undefined).join('.') || 'tables',
    facts: {},
    message: `${upperFirst(what)}.`,
    location: current.at(pointerTo(current.model.resources, table, column)),
  };
}

function pointerTo(resources: readonly ResourceDescriptor[], table?: string, column?: string): string {
  const resource = resources.find((one) => one.table === table);
  if (!resource) return '/paths';
  const property = resource.properties.find((one) => one.column === column);
  const schema = `/components/schemas/${resource.schemas.resource}`;
  return property ? `${schema}/properties/${property.name}` : schema;
}

/** The tables of a contract, as read from a database that has them. */
function liveTables(resources: readonly ResourceDescriptor[]): ReadonlyMap<string, LiveTable> {
  const tables = tablesOf(resources);
  return new Map(tables.map((table) => [table.name, { columns: columnsOf(table, tables), indexes: indexes(table) }]));
}

const indexes = (table: Table): LiveTable['indexes'] =>
  new Map(table.indexes.map(({ name }) => [name, { isValid: true }]));

function columnsOf(table: Table, tables: readonly Table[]): LiveTable['columns'] {
  return new Map(
    table.columns.map((property): [string, LiveColumn] => {
      const reference = referenced(table, property, tables);
      return [
        property.column,
        {
          type: postgresSchema.typeOf(property),
          isRequired: isRequired(property),
          hasDefault: false,
          ...(reference && { onDelete: reference.onDelete }),
        },
      ];
    }),
  );
}

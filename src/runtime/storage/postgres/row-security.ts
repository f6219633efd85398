import { ConfigError } from '../../../descriptor/config-error.ts';
import type { Step } from '../../../descriptor/migration/step.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { columnOf, type Table, tableOf } from '../../../descriptor/table.ts';
import type { RunSql } from '../migration/records.ts';
import type { RowScope } from '../row-scope.ts';
import type { Query } from './postgres-connection.ts';

/** The parameters of a transaction that say whose rows it may reach (PostgreSQL, 20.16, customized options). */
const TENANT = 'lockstep.tenant';
const ALL_TENANTS = 'lockstep.all_tenants';
/** The parameter of a session that does the server's own work, such as a migration. */
export const OWN_WORK: Readonly<Record<string, string>> = { [ALL_TENANTS]: 'on' };

/** The name of the policy that Lockstep makes; others are the operator's. */
const POLICY = 'lockstep_tenant';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/**
 * A text in the form that means the same whatever `standard_conforming_strings` of the session is (PostgreSQL,
 * 4.1.2.2).
 */
const literal = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** What a transaction begins with, so that policies let it reach these rows and no others. */
export function scopeStatements(scope: RowScope): string {
  const tenant = scope.kind === 'tenant' ? scope.tenant : '';
  return [
    `set local ${TENANT} = ${literal(tenant)}`,
    `set local ${ALL_TENANTS} = ${scope.kind === 'all' ? 'on' : 'off'}`,
  ].join('; ');
}

/** The tables whose rows belong to tenants, with the column that names them. */
function tenantTables(resources: readonly ResourceDescriptor[]): readonly (readonly [table: Table, column: string])[] {
  return resources.flatMap((resource) => {
    const table = tableOf(resource);
    return resource.tenant ? [[table, columnOf(table, resource.tenant.property).column] as const] : [];
  });
}

/** The column as text: no cast of a claim can fail. */
function policy(column: string): string {
  return `(${quote(column)}::text = current_setting('${TENANT}', true) or current_setting('${ALL_TENANTS}', true) = 'on')`;
}

/** Of each table: whether row-level security is enabled and forced, and the expressions of Lockstep's policy. */
const STATE = `
  select c.relname, c.relrowsecurity and c.relforcerowsecurity, pg_get_expr(p.polqual, c.oid), p.polname is not null
  from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = '${POLICY}'
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`;

/**
 * What puts the second wall before the rows of tenants, or takes it away, or nothing where it is to stay as it is: the
 * policy of Lockstep's own name, and no other. A table that is not there yet is taken for one without.
 */
export async function planRowSecurity(
  run: RunSql,
  resources: readonly ResourceDescriptor[],
  isOn: boolean | undefined,
): Promise<readonly Step[]> {
  if (isOn === undefined) return [];
  const rows = await run(STATE);
  const states = new Map(rows.map(([name, isForced, , hasPolicy]) => [name!, { isForced, hasPolicy }]));
  return tenantTables(resources).flatMap(([table, column]) => {
    const { isForced, hasPolicy } = states.get(table.name) ?? { isForced: 'f', hasPolicy: 'f' };
    const isWalled = isForced === 't' && hasPolicy === 't';
    if (isOn) return isWalled ? [] : [walled(table, column, hasPolicy === 't')];
    return hasPolicy === 't' ? [open(table)] : [];
  });
}

function walled(table: Table, column: string, isReplaced: boolean): Step {
  const name = quote(table.name);
  const drop = isReplaced ? `drop policy ${POLICY} on ${name}; ` : '';
  const create = `create policy ${POLICY} on ${name} using ${policy(column)} with check ${policy(column)}`;
  return {
    what: `row-level security of ${table.name} by ${column}`,
    sql: `${drop}${create}; alter table ${name} enable row level security, force row level security`,
    lock: { mode: 'access exclusive', tables: [table.name] },
  };
}

function open(table: Table): Step {
  const name = quote(table.name);
  return {
    what: `no row-level security of ${table.name}`,
    sql: `alter table ${name} no force row level security, disable row level security; drop policy ${POLICY} on ${name}`,
    lock: { mode: 'access exclusive', tables: [table.name] },
  };
}

const ROLE = `
  select current_user, rolsuper, rolbypassrls from pg_roles where rolname = current_user`;

/**
 * Throws `ConfigError` for a role that row-level security does not bind, and for tables that are without. `place` says of
 * which server, where that is not the primary.
 */
export async function checkRowSecurity(
  query: Query,
  resources: readonly ResourceDescriptor[],
  place = '',
): Promise<void> {
  const tables = tenantTables(resources);
  const [name, isSuper, bypasses] = (await query(ROLE)).rows[0]!;
  const role = `${name}${place}`;
  const refuse = (why: string): never => {
    throw new ConfigError([`DATABASE_RLS: ${why}`]);
  };
  if (tables.length === 0) refuse('the contract has no `x-tenant`, by which row-level security goes.');
  if (isSuper === 't') refuse(`the role ${role} is a superuser, whom row-level security does not bind.`);
  if (bypasses === 't') refuse(`the role ${role} has BYPASSRLS: take it away, or connect as another role.`);
  for (const [table] of tables) {
    const { rows } = await query(`select row_security_active(${literal(quote(table.name))}::regclass)`);
    if (rows[0]![0] !== 't')
      refuse(
        `row-level security does not bind ${role} on ${table.name}: run \`npm run migrate\`, which forces it on owners, too.`,
      );
  }
}

import { ConfigError } from '../../../descriptor/config-error.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { quote } from '../../../descriptor/migration/literal.ts';
import type { Step } from '../../../descriptor/migration/step.ts';
import { columnOf, type Table } from '../../../descriptor/table.ts';
import { ownedByTenants } from '../../../descriptor/tenant.ts';
import type { RunSql } from '../migration/records.ts';
import type { RowScope } from '../row-scope.ts';
import type { Query } from './answer.ts';

/** The parameters of a transaction that say whose rows it may reach (PostgreSQL, 20.16, customized options). */
const TENANT = 'lockstep.tenant';
const ALL_TENANTS = 'lockstep.all_tenants';
/** The parameter of a session that does the server's own work, such as a migration. */
export const OWN_WORK: Readonly<Record<string, string>> = { [ALL_TENANTS]: 'on' };

/** The name of the policy that Lockstep makes; others are the operator's. */
const POLICY = 'lockstep_tenant';

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

/** A table whose rows belong to tenants. */
interface TenantTable {
  readonly table: Table;
  /** Names the tenant, or the row above, whose tenant it is. */
  readonly column: string;
  /** The table of the rows above, where these decide. */
  readonly above: Table | undefined;
}

function tenantTables(tables: readonly Table[]): readonly TenantTable[] {
  const owned = ownedByTenants(tables.map(({ descriptor }) => descriptor));
  const byKey = new Map(tables.map((table) => [table.descriptor.key, table]));
  return tables.flatMap((table): TenantTable[] => {
    const { key, tenant, parent } = table.descriptor;
    const named = table.tenant ?? (tenant && columnOf(table, tenant.property));
    if (named) return [{ table, column: named.column, above: undefined }];
    if (!owned.has(key) || !parent) return [];
    return [{ table, column: columnOf(table, parent.property).column, above: lookUp(byKey, parent.resource) }];
  });
}

/**
 * The tenant is compared as text: no cast of a claim can fail. Settings are read once a statement. The rows above have a
 * policy, too, by which one of them is found or not; of an `exists`, the planner would read them all.
 */
function policy({ table, column, above }: TenantTable): string {
  const value = `${quote(table.name)}.${quote(column)}`;
  const isTenants = above
    ? `(select true from ${quote(above.name)} as ${ABOVE} where ${ABOVE}.id = ${value})`
    : `${value}::text = (select current_setting('${TENANT}', true))`;
  return `((select current_setting('${ALL_TENANTS}', true) = 'on') or ${isTenants})`;
}

const ABOVE = 'lockstep_above';

/** Of each table: whether row-level security is enabled and forced, and the expression of Lockstep's policy. */
const STATE = `
  select c.relname, c.relrowsecurity and c.relforcerowsecurity, pg_get_expr(p.polqual, c.oid), p.polname is not null
  from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = '${POLICY}'
  where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace`;

/**
 * What puts the second wall before the rows of tenants, or takes it away, or nothing where it is to stay as it is: the
 * policy of Lockstep's own name, and no other. A table that is not there yet is taken for one without.
 */
export async function planRowSecurity(
  run: RunSql,
  tables: readonly Table[],
  isOn: boolean | undefined,
): Promise<readonly Step[]> {
  if (isOn === undefined) return [];
  const states = new Map((await run(STATE)).map(([name, ...state]) => [name!, state]));
  return tenantTables(tables).flatMap((one) => {
    const [isForced, test, policyThere] = states.get(one.table.name) ?? [];
    const hasPolicy = policyThere === 't';
    if (!isOn) return hasPolicy ? [open(one.table)] : [];
    // Those of earlier releases read settings for each row.
    const isPresent = String(test).includes(one.above ? ABOVE : 'SELECT');
    return isForced === 't' && hasPolicy && isPresent ? [] : [walled(one, hasPolicy)];
  });
}

function walled(one: TenantTable, isReplaced: boolean): Step {
  const { table, column } = one;
  const name = quote(table.name);
  const drop = isReplaced ? `drop policy ${POLICY} on ${name}; ` : '';
  const create = `create policy ${POLICY} on ${name} using ${policy(one)} with check ${policy(one)}`;
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
export async function checkRowSecurity(query: Query, all: readonly Table[], place = ''): Promise<void> {
  const tables = tenantTables(all);
  const [name, isSuper, bypasses] = (await query(ROLE)).rows[0]!;
  const role = `${name}${place}`;
  const refuse = (why: string): never => {
    throw new ConfigError([`DATABASE_RLS: ${why}`]);
  };
  if (tables.length === 0) refuse('the contract has no `x-tenant`, which row-level security needs.');
  if (isSuper === 't') refuse(`the role ${role} is a superuser, and row-level security does not bind superusers.`);
  if (bypasses === 't') refuse(`the role ${role} has BYPASSRLS: remove it, or connect as another role.`);
  for (const { table } of tables) {
    const { rows } = await query(`select row_security_active(${literal(quote(table.name))}::regclass)`);
    if (rows[0]![0] !== 't')
      refuse(
        `row-level security does not bind ${role} on ${table.name}: run \`npm run migrate\`, which also forces it on owners.`,
      );
  }
}

import type { Table } from '../table.ts';
import { columnOf } from '../table.ts';
import { quote, quotedText } from './literal.ts';
import type { LiveTable } from './schema-dialect.ts';
import type { Step } from './step.ts';

/** Without it, a statement of all nodes in a transaction is refused after one that reads them in parallel. */
const SEQUENTIAL = `do $lockstep$ begin
  execute format('alter database %I set citus.multi_shard_modify_mode = sequential', current_database());
end $lockstep$`;

/** Own tables that are written along with rows of tenants. */
const WRITTEN_ALONG = ['lockstep_memory', 'lockstep_job', 'lockstep_outbox', 'lockstep_schedule', 'lockstep_object'];

/**
 * Distributes the tables of tenants by the tenant, the rows of one tenant on one node, and copies shared ones to all nodes.
 * Each runs by itself. The memory of repeated requests and the jobs take part in commits of several nodes.
 */
export function distribution(tables: readonly Table[], live: ReadonlyMap<string, LiveTable>): Step[] {
  const missing = tables.filter(({ name, isDistributed }) => isDistributed && !live.get(name)?.isDistributed);
  const apart = tables.some(({ isDistributed }) => isDistributed)
    ? WRITTEN_ALONG.filter((name) => !live.get(name)?.isDistributed)
    : [];
  const [first] = tables.filter(({ tenant }) => tenant);
  const call = (what: string, sql: string): Step => ({ what, sql, isConcurrent: true });
  const name = (table: Table): string => quotedText(quote(table.name));
  const isFirst = missing.length > 0 && first && !live.get(first.name)?.isDistributed;
  return [
    ...(isFirst ? [call('set citus.multi_shard_modify_mode = sequential', SEQUENTIAL)] : []),
    ...missing.map((table) => {
      const { tenant } = table;
      if (!tenant || !first)
        return call(`copy table ${table.name} to all nodes`, `select create_reference_table(${name(table)})`);
      const beside = table === first ? '' : `, colocate_with => ${name(first)}`;
      const column = quotedText(columnOf(table, tenant.name).column);
      return call(
        `distribute table ${table.name}`,
        `select create_distributed_table(${name(table)}, ${column}${beside})`,
      );
    }),
    ...apart.map((own) =>
      call(`distribute commits of ${own}`, `select citus_add_local_table_to_metadata(${quotedText(own)})`),
    ),
  ];
}

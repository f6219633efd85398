import pg from 'pg';
import { expect, vi } from 'vitest';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { migrate } from '../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../src/runtime/storage/postgres/postgres-store.ts';
import { TableSizes } from '../../src/runtime/storage/postgres/table-sizes.ts';
import { administer } from '../../src/tools/postgres-database.ts';
import { STATEMENT_TIMEOUT_MS } from './databases.ts';
import { makeDatabase } from './postgres.ts';
import { type Service, startCompiled } from './service.ts';
import { tenantColumns, unnamedIn } from './unnamed-tenants.ts';

/** Sends the plan of each statement to the session, those of foreign keys included (PostgreSQL, auto_explain). */
const EXPLAINING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

interface Executed {
  readonly text: string;
  /** The numbers of the partitions that it has touched. */
  readonly partitions: readonly string[];
}

const touchedBy = (node: PlanNode): readonly string[] => [
  ...(node['Actual Loops'] > 0 ? (/_p(\d+)$/.exec(node['Relation Name'] ?? '')?.slice(1) ?? []) : []),
  ...(node.Plans ?? []).flatMap(touchedBy),
];

/** A service on tables in partitions, whose statements are watched. */
export interface ExplainedService {
  readonly service: Service;
  /** Forgets what has been executed. */
  forget(): void;
  /** The statements that were executed on rows of tenants. */
  readonly executed: readonly Executed[];
  /**
   * Expects that each statement has touched one partition at most, and names the tenant of each table of tenants that it
   * reads; and that so many have touched one.
   */
  expectOne(least?: number): void;
  close(): Promise<void>;
}

/** `areSmall`: whether tables are taken for so small that any read of them is cheap. */
export async function startExplained(contract: CompiledContract, areSmall = true): Promise<ExplainedService> {
  const { resources } = contract;
  const url = await makeDatabase();
  const layout = { kind: 'tenants', partitions: 8 } as const;
  await lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [], layout }));
  const name = new URL(url).pathname.slice(1);
  for (const [setting, value] of Object.entries(EXPLAINING))
    await administer(url, `alter database ${name} set ${setting} = '${value}'`);
  const columns = tenantColumns(resources);
  const executed: Executed[] = [];
  const { emit } = pg.Client.prototype;
  pg.Client.prototype.emit = function (this: pg.Client, event: string | symbol, ...args: unknown[]) {
    const { message } = (event === 'notice' ? args[0] : {}) as { readonly message?: string };
    const [, json] = /^duration: .*?plan:\n(.*)$/s.exec(message ?? '') ?? [];
    if (json) {
      const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
      executed.push({ text, partitions: [...new Set(touchedBy(plan))] });
    }
    return emit.call(this, event as 'notice', ...(args as [never]));
  };
  const sizes = vi.spyOn(TableSizes.prototype, 'isSmall').mockReturnValue(areSmall);
  const store = await openPostgresStore({ url, resources, connections: 4, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const database = { name: 'explained', open: async () => ({ store, close: async () => store.close() }) };
  const service = await startCompiled(contract, database);
  return {
    service,
    executed,
    forget: () => void executed.splice(0),
    expectOne(least = 1) {
      const more = executed.filter(({ partitions }) => partitions.length > 1);
      expect(more.map(({ text, partitions }) => `${partitions.join()}: ${text}`)).toEqual([]);
      expect(executed.flatMap(({ text }) => unnamedIn(text, columns).map((table) => `${table}: ${text}`))).toEqual([]);
      const touching = executed.filter(({ partitions }) => partitions.length === 1);
      expect(touching.length).toBeGreaterThanOrEqual(least);
    },
    async close() {
      pg.Client.prototype.emit = emit;
      sizes.mockRestore();
      await service.close();
    },
  };
}

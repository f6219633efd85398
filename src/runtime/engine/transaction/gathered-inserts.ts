import { besideRows, readingFrom } from '../../storage/reading-from.ts';
import type { Row, Transaction } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import type { Caller } from '../interface/call.ts';
import type { Resource } from '../resource/resource.ts';
import type { Change } from './in-transaction.ts';
import { hasOverride, type Runtime } from './runtime.ts';

/** The database has refused one of several rows: they are inserted one by one, to name it. */
export class OneRefused extends Error {}

/**
 * Whether new rows of a resource may be inserted by one statement: nothing reads one before the next is checked, and no code
 * handles them as the database stores them.
 */
export function gathersInserts(runtime: Runtime, resource: Resource): (caller: Caller) => boolean {
  const { access, fields, descriptor, idMaker, tenancy, consumed } = resource;
  const { key, mapped, properties } = descriptor;
  const isSeen =
    access?.create ||
    fields ||
    consumed?.created ||
    hasOverride(runtime, resource, 'create') ||
    properties.some(({ references }) => references?.resource === key);
  if (!runtime.lockOrder || isSeen || mapped || idMaker === 'database') return () => false;
  const ofTenants = runtime.tenancy;
  if (!ofTenants) return () => true;
  // Statements of callers who see all tenants name those of each row.
  return ({ principal }) => tenancy !== undefined && ofTenants.scopeFor(principal).kind === 'tenant';
}

/** The same change, whose new rows are inserted together by `flush`, which throws `OneRefused`. */
export function gatheringInserts(change: Change): { readonly change: Change; readonly flush: () => Promise<void> } {
  const { transaction } = change;
  const gathered = new Map<string, Row[]>();
  const insert: Transaction['insert'] = async (key, row) => {
    const rows = gathered.get(key) ?? [];
    gathered.set(key, rows);
    rows.push(row);
    return row;
  };
  const gathering: Transaction = {
    ...readingFrom((read) => read(transaction)),
    ...besideRows(transaction),
    unlocked: transaction.unlocked,
    insert,
    insertAll: (...args) => transaction.insertAll(...args),
    update: (...args) => transaction.update(...args),
    delete: (...args) => transaction.delete(...args),
    deleteEach: (...args) => transaction.deleteEach(...args),
  };
  return {
    change: { ...change, transaction: gathering },
    async flush() {
      const all = [...gathered];
      gathered.clear();
      try {
        for (const [key, rows] of all) await transaction.insertAll(key, rows);
      } catch (error) {
        throw error instanceof StoreError ? new OneRefused('A row of several.', { cause: error }) : error;
      }
    },
  };
}

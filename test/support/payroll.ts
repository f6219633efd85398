import { createRowCodec } from '../../src/runtime/engine/resource/row-codec.ts';
import type { ServerOptions } from '../../src/runtime/server.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import type { DatabaseKind } from './databases.ts';
import { type As, type Service, startService } from './service.ts';

/** Whom the tests ask as. */
export const admin: As = { sub: 'admin', scope: 'staff:admin' };
export const auditor: As = { sub: 'auditor', scope: 'staff:audit' };
/** Heads the department of Ann. */
export const head: As = { sub: 'head', scope: '' };
export const ann: As = { sub: 'ann', scope: '' };
export const stranger: As = { sub: 'stranger', scope: '' };

export const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const DEPARTMENTS = { first: idOf(1), second: idOf(2) };

/** The employees, as they are stored. */
export const STAFF = {
  ann: {
    id: idOf(11),
    name: 'Ann',
    userId: 'ann',
    departmentId: DEPARTMENTS.first,
    salary: 5000,
    notes: 'praised by everybody',
    level: 'SENIOR',
    badge: 'B-1',
    mentorId: idOf(12),
  },
  bob: {
    id: idOf(12),
    name: 'Bob',
    userId: 'bob',
    departmentId: DEPARTMENTS.second,
    salary: 4000,
    notes: null,
    level: null,
    badge: 'B-2',
    mentorId: null,
  },
} as const;

/** The payroll with a few rows, put there past everybody's rights. */
export async function startPayroll(
  database: DatabaseKind,
  handlers: AnyHandlers = {},
  options: Partial<ServerOptions> = {},
): Promise<Service> {
  const service = await startService('payroll', database, handlers, options);
  await refill(service);
  return service;
}

/** The rows as they were at first. */
export async function refill({ store, contract, now }: Service): Promise<void> {
  const managed = { version: 1, createdAt: now, updatedAt: now };
  const departments = [
    { id: DEPARTMENTS.first, name: 'first', headId: 'head' },
    { id: DEPARTMENTS.second, name: 'second', headId: 'other' },
  ];
  const rows: readonly (readonly [string, readonly object[]])[] = [
    ['departments', departments],
    ['employees', Object.values(STAFF)],
  ];
  await store.transaction(async (transaction) => {
    await transaction.deferReferences();
    for (const key of ['employees', 'departments'])
      for (const row of await transaction.list({
        resource: key,
        conditions: [],
        order: [{ property: 'id', direction: 'asc' }],
        limit: 100,
      }))
        await transaction.delete(key, row[0] as string);
    for (const [key, some] of rows) {
      const { properties } = contract.resources.find((one) => one.key === key)!;
      const codec = createRowCodec(properties);
      await transaction.insertAll(
        key,
        some.map((one) => codec.toRow({ ...managed, ...one })),
      );
    }
  });
}

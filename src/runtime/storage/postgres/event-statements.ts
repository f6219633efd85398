import { quote } from '../../../descriptor/migration/literal.ts';
import type { Table } from '../../../descriptor/table.ts';
import type { NewEvent } from '../jobs.ts';
import type { Statement } from '../statements/statement.ts';
import type { StoredValue } from '../store.ts';
import { isPostgresError } from './postgres-errors.ts';

const EVENT = 'resource, row_id, tenant, kind, version, before, actor, depth, request_id, traceparent';
const WIDTH = EVENT.split(',').length + 1;
const NOT_NULL_VIOLATION = '23502';

/** Behind the values of a write, those of `withEvent`. */
export const eventValues = (event: NewEvent): readonly StoredValue[] => [
  ...[event.resource, event.rowId, event.tenant, event.kind, event.version, event.before, event.actor, event.depth],
  ...[event.requestId, event.traceparent ?? null, event.row],
];

/**
 * A write of a row, and an event with that row. The event has no `row`, for which its table refuses it, if the row is stored
 * with other values than the first ones. Arguments: as of the write, `width` of them, then `eventValues`.
 */
export function withEvent({ sql, slots }: Statement, { columns }: Table, width: number): Statement {
  const all = [...slots];
  const given = (slot: number): string => `$${all.includes(slot) ? all.indexOf(slot) + 1 : all.push(slot)}`;
  const isAsGiven = columns.map(({ column }, i) => `written.${quote(column)} is not distinct from ${given(i)}`);
  const event = Array.from({ length: WIDTH }, (_, i) => `${given(width + i)}::${i === DEPTH ? 'bigint' : 'text'}`);
  const row = event.pop();
  return {
    sql: `with written as (${sql}), heard as (insert into lockstep_outbox (${EVENT}, row)
      select ${event.join(', ')}, case when ${isAsGiven.join(' and ')} then ${row} end from written)
      select * from written`,
    slots: all,
  };
}

const DEPTH = EVENT.split(', ').indexOf('depth');

/** Whether the table of events has refused an event without `row`. */
export const isAltered = (error: unknown): boolean =>
  isPostgresError(error) && error.code === NOT_NULL_VIOLATION && error.table === 'lockstep_outbox';

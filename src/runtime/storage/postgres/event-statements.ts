import { quote } from '../../../descriptor/migration/literal.ts';
import type { Table } from '../../../descriptor/table.ts';
import type { NewEvent } from '../jobs.ts';
import type { Statement } from '../statements/statement.ts';
import type { StoredValue } from '../store.ts';
import { isPostgresError } from './postgres-errors.ts';

/** The columns of the table of events, beside `row`, and the properties that they hold. */
const COLUMNS = {
  resource: 'resource',
  row_id: 'rowId',
  tenant: 'tenant',
  kind: 'kind',
  version: 'version',
  before: 'before',
  actor: 'actor',
  depth: 'depth',
  request_id: 'requestId',
  traceparent: 'traceparent',
} as const satisfies Readonly<Record<string, keyof NewEvent>>;
const NAMES = Object.keys(COLUMNS).join(', ');
const PROPERTIES = Object.values(COLUMNS);
const NOT_NULL_VIOLATION = '23502';

const typeOf = (property: keyof NewEvent): string => (property === 'depth' ? 'bigint' : 'text');

/** Writes events. Arguments: a JSON array of them. */
export const EMIT = `
  insert into lockstep_outbox (${NAMES}, row)
  select ${PROPERTIES.map((property) => `(e ->> '${property}')::${typeOf(property)}`).join(', ')}, e ->> 'row'
  from jsonb_array_elements($1::jsonb) with ordinality as events (e, n) order by n`;

/** Behind the values of a write, those of `withEvent`. */
export const eventValues = (event: NewEvent): readonly StoredValue[] => [
  ...PROPERTIES.map((property) => event[property] ?? null),
  event.row,
];

/**
 * A write of a row, and an event with that row. The event has no `row`, for which its table refuses it, if the row is stored
 * with other values than the first ones. Arguments: as of the write, `width` of them, then `eventValues`.
 */
export function withEvent({ sql, slots }: Statement, { columns }: Table, width: number): Statement {
  const all = [...slots];
  const given = (slot: number): string => `$${all.includes(slot) ? all.indexOf(slot) + 1 : all.push(slot)}`;
  const isAsGiven = columns.map(({ column }, i) => `written.${quote(column)} is not distinct from ${given(i)}`);
  const event = PROPERTIES.map((property, i) => `${given(width + i)}::${typeOf(property)}`);
  const row = `${given(width + event.length)}::text`;
  return {
    sql: `with written as (${sql}), heard as (insert into lockstep_outbox (${NAMES}, row)
      select ${event.join(', ')}, case when ${isAsGiven.join(' and ')} then ${row} end from written)
      select * from written`,
    slots: all,
  };
}

/** Whether the table of events has refused an event without `row`. */
export const isAltered = (error: unknown): boolean =>
  isPostgresError(error) && error.code === NOT_NULL_VIOLATION && error.table === 'lockstep_outbox';

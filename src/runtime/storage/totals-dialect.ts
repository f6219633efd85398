import type { RawBuilder } from 'kysely';
import type { PropertyType } from '../../descriptor/resource.ts';
import type { Grouping, Measure } from '../../descriptor/totals.ts';

type Sql = RawBuilder<unknown>;

/** A value of a group, and what orders groups by it. */
export interface Totalled {
  readonly select: Sql;
  readonly order: Sql;
}

/** How a database computes totals. */
export interface TotalsDialect {
  /**
   * The first day of the period that a date or a time lies in, of `Hour` its first instant. `shift`: the seconds by which
   * local time is ahead of UTC; left out for a date, and in UTC.
   */
  readonly period: (column: Sql, grouping: Required<Grouping>, shift: Sql | undefined) => Sql;
  /** The value of a group, as it is stored. */
  readonly group: (column: Sql, type: PropertyType) => Sql;
  readonly measure: (of: Exclude<Measure['of'], 'Count' | 'Distinct'>, column: Sql, type: PropertyType) => Totalled;
  /** How to sort so that null is lowest. */
  readonly direction: (direction: 'asc' | 'desc') => string;
}

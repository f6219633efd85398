import type { Json } from '../../support/storefront.ts';

/** The tables whose every change is logged. */
export const TABLES = ['products', 'orders', 'orders_items'] as const;
export type TableName = (typeof TABLES)[number];

/** A committed change of a row, as a trigger of the database has written it. Those of one row are in their order. */
export interface Entry {
  readonly position: number;
  /** The instance that wrote it, where the database knows its clients. */
  readonly writer: string;
  readonly table: TableName;
  readonly operation: 'insert' | 'update' | 'delete';
  /** By column, after the change; a deleted row as it was. */
  readonly row: Readonly<Record<string, unknown>>;
}

/** A request that writes, and what its caller knows of it. Several with one mark repeat each other under one key. */
export interface Attempt {
  /** What this write alone puts into its row. A deletion puts nothing anywhere. */
  readonly mark: string;
  readonly table: TableName;
  readonly operation: Entry['operation'];
  /** Of the row, unless it is created. */
  readonly id?: string | undefined;
  readonly ifVersion?: number | undefined;
  readonly sentMs: number;
  /** `refused`: it has written nothing; `unknown`: no answer, or that the service is unavailable. */
  readonly outcome: 'done' | 'refused' | 'unknown';
  /** The row that was acknowledged. */
  readonly body?: Json;
  /** All that a repetition must get again. */
  readonly answer?: string;
}

/** What a read has found. */
export interface Read {
  readonly how: string;
  readonly id: string;
  /** What the same caller was acknowledged before. */
  readonly atLeast?: number | 'deleted' | undefined;
  /** Undefined: there is no such row. */
  readonly body: Json | undefined;
}

export const FIELDS = ['productUpdated', 'orderCreated', 'orderUpdated', 'orderDeleted'] as const;
export type EventField = (typeof FIELDS)[number];

/** What stands where events may have been missed. */
export const MISSED = 'EVENTS_MISSED';

export interface Heard {
  readonly atMs: number;
  /** The row; the id of one that was deleted; or `MISSED`. */
  readonly body: Json;
}

/** One subscription over one connection, to its end. */
export interface Stream {
  readonly instance: string;
  readonly transport: string;
  readonly field: EventField;
  readonly heard: Heard[];
  isOpen: boolean;
}

/** What clients have seen. */
export class History {
  readonly attempts: Attempt[] = [];
  readonly reads: Read[] = [];
  readonly streams: Stream[] = [];
  /** Answers that no caller can work with. */
  readonly invalid: string[] = [];
}

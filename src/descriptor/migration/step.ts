/** A change that loses nothing. */
export interface Step {
  readonly what: string;
  readonly sql: string;
  /** Runs outside a transaction, so that it keeps nobody from writing. */
  readonly isConcurrent?: boolean;
  /** Of a concurrent step: the statements that run one by one, in the place of `sql`. */
  readonly each?: readonly string[];
  /** Of a concurrent step: the statements that take it back if it fails. */
  readonly undo?: readonly string[];
  /** The server works without it, only slower. */
  readonly isOptional?: boolean;
  /** Locks on tables in use that it takes. Steps that follow each other with the same lock share a transaction. */
  readonly lock?: TableLock;
  /** What the database records as made by Lockstep. */
  readonly makes?: MadeObject;
  /** Name of what Lockstep has made and this step drops; while a server starts, only where the step is not optional. */
  readonly drops?: string;
  /** It makes a table or a column, which files that run after tables find. */
  readonly isShape?: boolean;
  /** Rows that it cannot be done with. */
  readonly fails?: RowTest;
  /** Without it, a contract that is older than the one the tables belong to cannot be served. */
  readonly stopsOlder?: boolean;
  /** What it does with all rows of a table. */
  readonly rows?: RowWork;
  /** What it is expected to take: `100,000 rows, about 0.1 s; writes go on`. */
  readonly estimate?: string;
}

/** Work that takes longer the more rows there are. */
interface RowWork {
  readonly table: string;
  /** Microseconds that a row takes, as measured on a small machine. */
  readonly usPerRow: number;
  /** Rows are done some at a time, after `sql`, each time in a transaction of its own; undefined: `sql` does all. */
  readonly pieces?: Pieces;
}

export interface Pieces {
  /** Selects the id that an earlier attempt got to; undefined: the table itself shows it. */
  readonly mark?: string;
  /** Does so many rows behind an id, or the first. The last statement selects the id of the last one, or no row. */
  readonly next: (rows: number, after: string | undefined) => readonly string[];
  /** Selects a row while some are left, which others have locked. */
  readonly left?: string;
  /** Runs when all rows are done. */
  readonly end?: string;
}

export interface TableLock {
  readonly mode: 'access exclusive' | 'share row exclusive';
  readonly tables: readonly string[];
}

/** Something in the database that belongs to a table, and may be dropped when no contract needs it any more. */
export interface MadeObject {
  readonly kind: 'index' | 'database';
  readonly name: string;
  readonly table: string;
}

/** Rows that stand against a change, which are counted before it is made. */
export type RowTest =
  /** Rows without a value. */
  | { readonly kind: 'empty'; readonly table: string; readonly column: string }
  /** Rows with a value; without them, the column does no harm if it is harmless. */
  | { readonly kind: 'filled'; readonly table: string; readonly column: string; readonly isHarmless: boolean }
  /** Rows that have all of these values in common with another row. */
  | { readonly kind: 'equal'; readonly table: string; readonly columns: readonly string[] }
  /** Rows that refer to a row of `target` that does not exist. */
  | {
      readonly kind: 'orphaned';
      readonly table: string;
      readonly column: string;
      readonly target: string;
      /** The columns that name the tenant of both rows, if references begin with it. */
      readonly tenants?: TenantColumns | undefined;
    };

/** Columns that a reference leads from and to beside the id. */
export interface TenantColumns {
  readonly own: string;
  readonly target: string;
}

/** What stands against the contract and is not changed by itself. */
export interface Difference {
  readonly what: string;
  /** SQL that would change it, for somebody to look over. */
  readonly byHand: readonly string[];
  /** The server works all the same. */
  readonly isHarmless: boolean;
  /** Only these rows do harm: without them, the server works all the same. */
  readonly rows?: RowTest;
  /** A contract that is older than the one the tables belong to cannot be served with it. */
  readonly stopsOlder?: boolean;
  /** The column whose values get another form: `things.name`. */
  readonly converts?: string;
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly differences: readonly Difference[];
}

/** The first line of a file that changes what is there: on a new database there is nothing to change. */
const FOR_EXISTING_ROWS = '-- lockstep: existing rows';
/** A line of a file after which instances of the contract before cannot read or write a column. */
const BREAKS_OLD_INSTANCES = '-- lockstep: breaks old instances';
const BREAKING =
  /^(?!-- or).* (?:rename|drop) column |^alter table \S+ rename to | alter column \S+ type | set not null$|^-- rebuild .* (?:as \w+|not null)$/;

/** The lines of a file that makes a change, for somebody to look over. `isNew`: the database is being made. */
export function proposedFile({ byHand }: Difference, isNew = false): string[] {
  const changesRows = byHand.some((sql) => /^(?:alter|update|-- rebuild) /.test(sql));
  const first = byHand.findIndex((sql) => !sql.startsWith('-- to keep '));
  const marks = [
    ...(changesRows ? [FOR_EXISTING_ROWS] : []),
    ...(byHand.some((sql) => BREAKING.test(sql)) ? [BREAKS_OLD_INSTANCES] : []),
  ];
  const lines = byHand.map((sql) => (/^-- (?:to keep|or)[^\n]*$/.test(sql) ? sql : `${sql};`));
  return isNew ? lines : [...lines.slice(0, first), ...marks, ...lines.slice(first)];
}

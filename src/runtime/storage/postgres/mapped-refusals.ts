import type { StoreFailure } from '../store-error.ts';
import { StoreError } from '../store-error.ts';
import type { LiveColumn } from './mapped-catalogue.ts';
import type { ColumnWrites, MappedWriter } from './mapped-writing.ts';
import { isPostgresError, type PostgresError, storeError } from './postgres-errors.ts';

/** A write of a table of others. */
export interface RefusedWrite {
  readonly writer: MappedWriter;
  /** Undefined for a delete. */
  readonly written?: ColumnWrites | undefined;
  /** The properties that it gives. */
  readonly given: readonly string[];
  /** The columns of its placeholders, if they are columns' values. */
  readonly placeholders: readonly (string | undefined)[];
}

const UNIQUE = new Set(['23505', '23P01']);
const REFERENCE = new Set(['23503', '23001']);
/** Said by each store, of any table. */
const OF_TEXT = new Set(['22021', '22P05']);
/** Data exceptions, constraints and triggers: SQLSTATE classes of PostgreSQL, appendix A; 45 is left to applications. */
const REFUSAL = /^(?:09|22|23|27|44|45|P0)/;
/** The functions of the server that run RAISE, and that check the policies of a table. */
const REFUSING = new Set(['exec_stmt_raise', 'ExecWithCheckOptions']);
/** Of a placeholder whose text its type does not have. */
const PLACEHOLDER = /^(?:unnamed )?portal\b.*? parameter \$(\d+)/;

/** The `StoreError` for a write that the database has refused; the error itself, if that is not the caller's. */
export function refusalOf(error: unknown, write: RefusedWrite): unknown {
  if (!isPostgresError(error)) return error;
  const failure = failureOf(error, write);
  return failure ? new StoreError(failure, error) : storeError(error);
}

function failureOf(error: PostgresError, write: RefusedWrite): StoreFailure | undefined {
  const { code, constraint = '', routine = '' } = error;
  const { writer, written, given } = write;
  if (OF_TEXT.has(code)) return undefined;
  const { foreignKeys, indexes, checks } = writer.live;
  const named = (columns: readonly string[] = []) => writer.propertiesOf(columns, given);
  if (REFERENCE.has(code)) {
    const key = foreignKeys.find(({ name }) => name === constraint);
    // Keys of other tables forbid a delete; of a row that is written, a trigger meets them.
    return written && !key ? refused() : { kind: 'reference', properties: named(key?.columns) };
  }
  const isRefusal = REFUSAL.test(code) || REFUSING.has(routine);
  if (!isRefusal) return undefined;
  if (!written) return refused();
  if (UNIQUE.has(code)) {
    const key = indexes.find(({ name }) => name === constraint)?.columns ?? checks[constraint];
    return { kind: 'unique', properties: named(key) };
  }
  if (isWithin(error)) return refused();
  if (code === '23502') return { kind: 'value', properties: named(error.column === undefined ? [] : [error.column]) };
  if (code === '23514') return checkFailure(error, write);
  return code.startsWith('22') ? { kind: 'value', properties: valueMeant(error, write) } : refused();
}

const refused = (properties: readonly string[] = []): StoreFailure => ({ kind: 'refused', properties });

/** A function of the database has been running: a trigger, or one of an expression. */
const isWithin = ({ where }: PostgresError): boolean => where !== undefined && !PLACEHOLDER.test(where);

function checkFailure({ constraint = '', dataType }: PostgresError, write: RefusedWrite): StoreFailure {
  const { writer, given } = write;
  if (dataType !== undefined) {
    const isOf = ({ type }: LiveColumn): boolean => type.split('.').at(-1)?.replaceAll('"', '') === dataType;
    return { kind: 'value', properties: only(write, isOf) };
  }
  const columns = writer.live.checks[constraint] ?? [];
  const properties = writer.propertiesOf(columns, given);
  return columns.length === 1 ? { kind: 'value', properties } : refused(properties);
}

/** The property whose value alone can be meant: class 22 has no field for the column. */
function valueMeant(error: PostgresError, write: RefusedWrite): readonly string[] {
  const [, slot] = PLACEHOLDER.exec(error.where ?? '') ?? [];
  const column = slot === undefined ? undefined : write.placeholders[Number(slot) - 1];
  if (column !== undefined) return write.writer.propertiesOf([column], write.given);
  const { values = [], columns = [] } = write.written ?? {};
  const textIn = (name: string): string => String(values[columns.indexOf(name)] ?? '');
  switch (error.code) {
    case '22001':
      return only(write, ({ name, base, bounded }) => TEXTS.has(base) && [...textIn(name)].length > limitOf(bounded));
    case '22003':
      return only(write, ({ name, base, bounded }) => base === 'numeric' && digitsOf(textIn(name)) > limitOf(bounded));
    case '22007':
    case '22008':
    case '22015':
      return only(write, ({ base }) => TIMES.has(base));
    default:
      return only(write, () => true);
  }
}

const TEXTS = new Set(['varchar', 'bpchar', 'bit', 'varbit']);
const TIMES = new Set(['date', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval']);

/** The length of `character varying(40)`, or the digits before the point of `numeric(10,2)`. */
function limitOf(bounded: string): number {
  const [, length, scale = 0] = /\((\d+)(?:,(\d+))?\)/.exec(bounded) ?? [];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length) - Number(scale);
}

const digitsOf = (text: string): number => /^-?0*(\d*)/.exec(text)?.[1]?.length ?? 0;

/** The one property with a value in a column of which that holds; none if there are several. */
function only({ writer, written, given }: RefusedWrite, holds: (column: LiveColumn) => boolean): readonly string[] {
  const { columns = [], values = [] } = written ?? {};
  const found = writer.live.columns.filter(
    (one) => columns.includes(one.name) && values[columns.indexOf(one.name)] !== null && holds(one),
  );
  const properties = writer.propertiesOf(
    found.map(({ name }) => name),
    given,
  );
  return properties.length === 1 ? properties : [];
}

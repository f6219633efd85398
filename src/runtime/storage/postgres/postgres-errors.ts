import { WORDS_SUFFIX } from '../../../descriptor/searches.ts';
import { StoreError } from '../store-error.ts';

/** The fields of an error response (PostgreSQL, 55.8: error and notice message fields). */
export interface PostgresError extends Error {
  readonly code: string;
  readonly severity: string;
  readonly constraint?: string;
  readonly column?: string;
  readonly table?: string;
  /** The domain whose constraint is violated. */
  readonly dataType?: string;
  /** Where in the statement the fault is, in characters from 1. */
  readonly position?: string;
  /** The function of the database that was running: undefined for a fault of the statement itself. */
  readonly where?: string;
  /** The function of the server's source that reported the error. */
  readonly routine?: string;
}

export function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && 'severity' in error && 'code' in error;
}

/** SQLSTATE (PostgreSQL, appendix A). */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const RESTRICT_VIOLATION = '23001';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const DISK_FULL = '53100';
const PROGRAM_LIMIT_EXCEEDED = '54000';
const STATEMENT_TOO_COMPLEX = '54001';
const READ_ONLY_TRANSACTION = '25006';
const NO_SUCH_STATEMENT = '26000';
const CHARACTER_NOT_IN_REPERTOIRE = '22021';
const UNTRANSLATABLE_CHARACTER = '22P05';
const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';
const INTERNAL_ERROR = 'XX000';
const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';
/** Reports that the columns of a prepared statement have changed. */
const CHANGED_RESULT_TYPE = 'RevalidateCachedQuery';

/** Connection exceptions, insufficient resources, operator intervention, locks and timeouts. */
const UNAVAILABLE = /^(?:08|53|57|58|55P03|25P0[2-4])/;

/** The statement waited for a lock for longer than its session allows. */
export const isLockTimeout = (error: unknown): boolean => isPostgresError(error) && error.code === LOCK_NOT_AVAILABLE;

/** The statement was cancelled, by request or because it took too long. */
export const isCancelled = (error: unknown): boolean => isPostgresError(error) && error.code === QUERY_CANCELED;

/** The transaction conflicted with another one, and may succeed when it is run again. */
export function isConflict(error: unknown): boolean {
  if (!isPostgresError(error)) return false;
  return [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(error.code) || isConflictOfNode(error);
}

/** Citus does not pass on why another node refused the commit: it is a conflict of serializable transactions. */
const isConflictOfNode = ({ code, message }: PostgresError): boolean =>
  code === INTERNAL_ERROR && message.startsWith('could not commit transaction for shard ');

/** The unique key of a violation. Citus has no field for it: the message quotes that of a shard, which ends with its number. */
const keyOf = ({ constraint, message }: PostgresError): string =>
  constraint ?? /"([^"]+?)(?:_\d+)?"/.exec(message)?.[1] ?? '';

export const isNoSuchStatement = (error: unknown): boolean =>
  isPostgresError(error) && error.code === NO_SUCH_STATEMENT;

/**
 * The session's prepared statements are outdated, or its server no longer accepts writes: a new connection may help.
 */
export function needsNewConnection(error: unknown): boolean {
  if (!isPostgresError(error)) return false;
  return [READ_ONLY_TRANSACTION, NO_SUCH_STATEMENT].includes(error.code) || error.routine === CHANGED_RESULT_TYPE;
}

/** A table or column of the contract is not there; triggers of others may lack theirs, that of an index of words does not. */
const isMissing = ({ code, where }: PostgresError): boolean =>
  [UNDEFINED_TABLE, UNDEFINED_COLUMN].includes(code) && (where === undefined || where.includes(WORDS_SUFFIX));

/** In words of any language, the name stands first in quotes, or behind that of its table. */
function missingIn({ code, message }: PostgresError): string {
  const [, quoted, column] = /"([^"]+)"|\w\.(\w+)/.exec(message) ?? [];
  return `${code === UNDEFINED_TABLE ? 'table' : 'column'} ${quoted ?? column ?? message}`;
}

/**
 * A `StoreError` where the caller can act on it, else the error itself. `propertiesOf` maps a unique key to its
 * properties.
 */
export function storeError(error: unknown, propertiesOf: (key: string) => readonly string[] = () => []): unknown {
  if (!isPostgresError(error)) return error;
  if (isMissing(error)) return new StoreError({ kind: 'missing', what: missingIn(error) }, error);
  switch (error.code) {
    case UNIQUE_VIOLATION:
      return new StoreError({ kind: 'unique', properties: propertiesOf(keyOf(error)) }, error);
    case FOREIGN_KEY_VIOLATION:
    case RESTRICT_VIOLATION:
      return new StoreError({ kind: 'reference' }, error);
    case DISK_FULL:
      return new StoreError({ kind: 'full' }, error);
    case READ_ONLY_TRANSACTION:
      return new StoreError({ kind: 'faulty', why: 'read-only' }, error);
    case CHARACTER_NOT_IN_REPERTOIRE:
    case UNTRANSLATABLE_CHARACTER:
      return new StoreError({ kind: 'text' }, error);
    case PROGRAM_LIMIT_EXCEEDED:
    case STATEMENT_TOO_COMPLEX:
      return new StoreError({ kind: 'size' }, error);
  }
  return UNAVAILABLE.test(error.code) || needsNewConnection(error)
    ? new StoreError({ kind: 'unavailable' }, error)
    : error;
}

import { quote, quotedText } from '../../../descriptor/migration/literal.ts';

/** A transaction that is idle for this long belongs to a server that hangs; Postgres ends it to release its locks. */
const IDLE_TRANSACTION_MS = 10_000;

/** Parameters that change what SQL means or answers, which a role, a database or a server may have set otherwise. */
const MEANING = [
  "timezone = 'UTC'",
  "datestyle = 'ISO'",
  "intervalstyle = 'iso_8601'",
  "bytea_output = 'hex'",
  'extra_float_digits = 1',
  'standard_conforming_strings = on',
  'transform_null_equals = off',
  'quote_all_identifiers = off',
  'array_nulls = on',
  'gin_fuzzy_search_limit = 0',
  'lock_timeout = 0',
  'exit_on_error = off',
];

/** Puts a schema in front of the search path that the role has; `isLocal`: for the transaction. */
export const searchPath = (schema: string, isLocal: boolean): string =>
  `select set_config('search_path', concat_ws(', ', ${quotedText(quote(schema))}, nullif(current_setting('search_path'), '')), ${isLocal})`;

/** The parameters of a session, as `set` takes them: `session` beside those that all connections have. */
export function sessionParameters(
  statementTimeoutMs: number,
  session: Readonly<Record<string, string | number>> = {},
): readonly string[] {
  return [
    ...MEANING,
    `statement_timeout = ${statementTimeoutMs}`,
    `idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`,
    ...Object.entries(session).map(([name, value]) => `${name} = ${value}`),
  ];
}

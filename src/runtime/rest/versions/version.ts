// biome-ignore lint/suspicious/noExplicitAny: what a schema describes; the generated types say what
type Value = any;

/**
 * The parameters of a query as text, by name: `{ 'price[gte]': '10' }`.
 * @example
 * import type { QueryText } from 'lockstep';
 *
 * const withoutTitle = ({ title, ...rest }: QueryText): QueryText => ({
 *   ...rest,
 *   ...(title !== undefined && { name: title }),
 * });
 */
export type QueryText = Readonly<Record<string, string>>;

/**
 * How an old version of the API differs from the current one. Requests are transformed up to the current version, answers
 * down to the old one. The generated types say what a step must have.
 */
export interface VersionStep {
  /** Transformations of the values of a schema, by its name, wherever it is used. */
  readonly schemas?: Readonly<Record<string, { up?(old: Value): Value; down?(present: Value): Value }>>;
  /** Transformations of queries, by operationId, where parameters have changed. */
  readonly queries?: Readonly<Record<string, (old: QueryText) => QueryText>>;
  /** The current `operationId` of operations that have been renamed. */
  readonly operations?: Readonly<Record<string, string>>;
  /** The codes that the old version answers instead of codes that it does not have. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Names of JSON pointers and parameters in the old version: `{ '/name': '/title' }`. */
  readonly places?: Readonly<Record<string, string>>;
}

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
 * How an old version of the API is told in the words of the present one; the generated types say what it must have. A request
 * goes up, an answer comes down.
 */
export interface VersionStep {
  /** By name of the schema, wherever it stands. */
  readonly schemas?: Readonly<Record<string, { up?(old: Value): Value; down?(present: Value): Value }>>;
  /** Of operations whose parameters are others now. */
  readonly queries?: Readonly<Record<string, (old: QueryText) => QueryText>>;
  /** Of operations that have another `operationId` now. */
  readonly operations?: Readonly<Record<string, string>>;
  /** What the old version answers for codes that it does not have. */
  readonly errors?: Readonly<Record<string, string>>;
  /** What places in a body and parameters are called in the old version: `{ '/name': '/title' }`. */
  readonly places?: Readonly<Record<string, string>>;
}

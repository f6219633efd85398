import type { OperationContext } from '../../engine/interface/field-handler.ts';
import type { AnyResources } from '../../engine/interface/untyped.ts';

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
 * The context of a step between versions: the caller's rows of the present resources. `R` are the types of the contract's resources.
 * @example
 * import type { StepContext } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const namesOf = async ({ asCaller }: StepContext<Resources>, id: string[]) =>
 *   new Map((await asCaller.users.list({ id })).map((user) => [user.id, user.name]));
 */
export type StepContext<R> = Pick<OperationContext<R>, 'asCaller' | 'caller' | 'now'>;

/**
 * How present values of a schema become those of the old version: each by itself, or all that stand at one depth of an
 * answer at once, in their order, by what the caller reads of other resources.
 * @example
 * import type { DownStep } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * type Named = { readonly name: string };
 * const shouted: DownStep<Named, Named, Resources> = { down: ({ name }) => ({ name: name.toUpperCase() }) };
 */
export type DownStep<Present, Old, R> =
  | { down(present: Present): Old }
  | { downAll(presents: readonly Present[], context: StepContext<R>): readonly Old[] | Promise<readonly Old[]> };

interface SchemaStep {
  up?(old: Value): Value;
  down?(present: Value): Value;
  downAll?(
    presents: readonly Value[],
    context: StepContext<AnyResources>,
  ): readonly Value[] | Promise<readonly Value[]>;
}

/**
 * How an old version of the API differs from the current one. Requests are transformed up to the current version, answers
 * down to the old one. The generated types say what a step must have.
 */
export interface VersionStep {
  /** Transformations of the values of a schema, by its name, wherever it is used. */
  readonly schemas?: Readonly<Record<string, SchemaStep>>;
  /** Transformations of queries, by operationId, where parameters have changed. */
  readonly queries?: Readonly<Record<string, (old: QueryText) => QueryText>>;
  /** The current `operationId` of operations that have been renamed. */
  readonly operations?: Readonly<Record<string, string>>;
  /** The codes that the old version answers instead of codes that it does not have. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Names of JSON pointers and parameters in the old version: `{ '/name': '/title' }`. */
  readonly places?: Readonly<Record<string, string>>;
}

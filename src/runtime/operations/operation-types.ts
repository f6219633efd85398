import type { Readable } from 'node:stream';
import type { OperationContext } from '../engine/interface/field-handler.ts';
import type { ApiError } from '../errors/api-error.ts';

/** One operation as openapi-typescript describes it. */
export interface OperationTypes {
  readonly parameters: {
    readonly path?: unknown;
    readonly query?: unknown;
    readonly header?: unknown;
    readonly cookie?: unknown;
  };
  readonly requestBody?: unknown;
  readonly responses: object;
}

interface ReadOnlyMark<T> {
  readonly $read: T;
}

interface WriteOnlyMark<T> {
  readonly $write: T;
}

// biome-ignore lint/suspicious/noExplicitAny: a mark around anything
type AnyRead = ReadOnlyMark<any>;
// biome-ignore lint/suspicious/noExplicitAny: a mark around anything
type AnyWrite = WriteOnlyMark<any>;

/**
 * A schema's type as the server sends it: without write-only properties, and without those that are `Omitted`.
 * @example
 * import type { Answered } from 'lockstep';
 * import type { components } from '../../generated/types/openapi.ts';
 *
 * type User = Answered<components['schemas']['User']>;
 */
export type Answered<T, Omitted extends PropertyKey = never> = T extends AnyWrite
  ? never
  : T extends ReadOnlyMark<infer U>
    ? Answered<U, Omitted>
    : T extends (infer E)[]
      ? '0' extends keyof T
        ? { [K in keyof T]: Answered<T[K]> }
        : Answered<E>[]
      : T extends object
        ? { [K in keyof T as K extends Omitted ? never : Is<T[K], AnyWrite> extends true ? never : K]: Answered<T[K]> }
        : T;

/**
 * A schema's type as a caller sends it: without read-only properties.
 * @example
 * import type { Sent } from 'lockstep';
 * import type { components } from '../../generated/types/openapi.ts';
 *
 * const order: Sent<components['schemas']['OrderInput']> = {};
 */
export type Sent<T> = T extends AnyRead
  ? never
  : T extends WriteOnlyMark<infer U>
    ? Sent<U>
    : T extends (infer E)[]
      ? '0' extends keyof T
        ? { [K in keyof T]: Sent<T[K]> }
        : Sent<E>[]
      : T extends object
        ? { [K in keyof T as Is<T[K], AnyRead> extends true ? never : K]: Sent<T[K]> }
        : T;

type Is<T, Mark> = [NonNullable<T>] extends [never] ? false : NonNullable<T> extends Mark ? true : false;
type Given<T> = [NonNullable<T>] extends [never] ? Record<string, never> : NonNullable<T>;
type LowerCased<T> = { readonly [K in keyof T as Lowercase<K & string>]: T[K] };
type BodyOf<B> = B extends { content: infer C } ? { [M in keyof C]: BodyWith<M, C[M]> }[keyof C] : never;
type BodyWith<M, T> = M extends `multipart/${string}`
  ? MultipartBody
  : { readonly contentType: M; readonly body: BodyAs<M, T> } | (M extends '*/*' ? MultipartBody : never);
/** As it was sent, with its content type, whose parameters have the boundary. */
interface MultipartBody {
  readonly contentType: `multipart/${string};${string}`;
  readonly body: Readable;
}
/** JSON, text and forms are decoded; other media types but multipart are bytes. */
type BodyAs<M, T> = M extends `text/${string}`
  ? T extends Blob
    ? string
    : Sent<T>
  : M extends `${string}json${string}` | `application/x-www-form-urlencoded${string}`
    ? Sent<T>
    : M extends '*/*' | 'application/*'
      ? (T extends Blob ? never : Sent<T>) | Uint8Array
      : Uint8Array;
type OptionalBody<O extends OperationTypes> = undefined extends O['requestBody']
  ? { readonly contentType?: undefined; readonly body?: undefined }
  : never;

/**
 * A request to a custom operation, decoded and validated. Header names are in lower case.
 * @example
 * import type { OperationRequest } from 'lockstep';
 * import type { operations } from '../../generated/types/openapi.ts';
 *
 * const productOf = ({ params }: OperationRequest<operations['getRatingSummary']>): string => params.productId;
 */
export type OperationRequest<O extends OperationTypes> = {
  readonly params: Given<O['parameters']['path']>;
  readonly query: Given<O['parameters']['query']>;
  readonly headers: LowerCased<Given<O['parameters']['header']>>;
  readonly cookies: Given<O['parameters']['cookie']>;
} & ([NonNullable<O['requestBody']>] extends [never]
  ? unknown
  : BodyOf<NonNullable<O['requestBody']>> | OptionalBody<O>);

/** `default` and `4XX` stand for any status that the document does not declare itself. */
type StatusOf<K> = K extends number ? K : number;
type HeadersOf<R> = R extends { headers: infer H } ? { readonly headers?: Partial<H> } : unknown;
type ContentOf<R> = R extends { content: infer C extends object }
  ? { [M in keyof C]: { readonly contentType?: TypeWithin<M>; readonly body: AnsweredAs<M, C[M]> } }[keyof C]
  : { readonly body?: undefined };
/** Of a range (`image/*`) the type that is sent. */
type TypeWithin<M> = M extends '*/*' ? `${string}/${string}` : M extends `${infer Kind}/*` ? `${Kind}/${string}` : M;
/** Bodies that are not JSON may be bytes or a stream. */
type AnsweredAs<M, T> = M extends `${string}json${string}`
  ? Answered<T>
  : (T extends Blob ? never : Answered<T>) | Uint8Array | Readable;

/**
 * The declared replies of a custom operation: each status with its body.
 * @example
 * import type { OperationReply } from 'lockstep';
 * import type { operations } from '../../generated/types/openapi.ts';
 *
 * const unrated = (productId: string): OperationReply<operations['getRatingSummary']> => ({
 *   status: 200,
 *   body: { productId, count: 0, average: null, distribution: [0, 0, 0, 0, 0] },
 * });
 */
export type OperationReply<O extends OperationTypes> = {
  [K in keyof O['responses']]: { readonly status: StatusOf<K> } & HeadersOf<O['responses'][K]> &
    ContentOf<O['responses'][K]>;
}[keyof O['responses']];

type Awaitable<T> = T | Promise<T>;
type Some<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type Members<T> = { readonly [K in keyof T]: T[K] };
/** Properties that are there because they have a default. */
type FilledWith<T, Name extends string> = T extends object
  ? T & { readonly [K in keyof T & Name]-?: Exclude<T[K], undefined> }
  : T;
type InputOf<B, Name extends string> = B extends { content: infer C }
  ? FilledWith<{ [M in keyof C]: Sent<C[M]> }[keyof C], Name>
  : never;

/**
 * The inputs of an operation: its parameters by their names in the document, header fields in lower case, and its body as
 * `input`. `Filled` are properties of the body that have a default.
 * @example
 * import type { OperationInputs } from 'lockstep';
 * import type { operations } from '../../generated/types/openapi.ts';
 *
 * const productOf = ({ productId }: OperationInputs<operations['getRatingSummary']>): string => productId;
 */
export type OperationInputs<O extends OperationTypes, Filled extends string = never> = Members<
  Some<O['parameters']['path']> &
    Some<O['parameters']['query']> &
    LowerCased<Some<O['parameters']['header']>> &
    Some<O['parameters']['cookie']>
> &
  ([NonNullable<O['requestBody']>] extends [never]
    ? unknown
    : undefined extends O['requestBody']
      ? { readonly input?: InputOf<NonNullable<O['requestBody']>, Filled> }
      : { readonly input: InputOf<NonNullable<O['requestBody']>, Filled> });

type StatusesOf<R> = { [K in keyof R]: `${K & (string | number)}` extends `2${string}` ? K : never }[keyof R];
/** The default is a success if no other status is. */
type SuccessOf<R> = [StatusesOf<R>] extends [never] ? keyof R & 'default' : StatusesOf<R>;
type SentBody<R> = R extends { content: infer C extends object } ? Answered<C[keyof C]> : undefined;
type ReplyWith<K, R> = { readonly status: StatusOf<K> } & HeadersOf<R> &
  (R extends { content: object } ? { readonly body: SentBody<R> } : { readonly body?: undefined });
type RepliesOf<R> = { [K in SuccessOf<R>]: ReplyWith<K, R[K]> }[SuccessOf<R>];

/** An answer with the status that the code has chosen; `reply` makes it. */
interface Replied<Reply> {
  readonly [REPLIED]: Reply;
}

declare const REPLIED: unique symbol;

/** The body of the only success. */
type OnlyBody<R, K extends keyof R> = K extends number
  ? R[K] extends { content: object }
    ? SentBody<R[K]>
    : // biome-ignore lint/suspicious/noConfusingVoidType: a function that answers nothing may return nothing
      void
  : never;
type IsOne<T, All = T> = T extends unknown ? ([All] extends [T] ? true : false) : never;

/** What the code of an operation answers: the body of its only success, or a reply. */
type OperationAnswer<O extends OperationTypes> =
  | Replied<RepliesOf<O['responses']>>
  | (true extends IsOne<SuccessOf<O['responses']>> ? OnlyBody<O['responses'], SuccessOf<O['responses']>> : never);

/**
 * The context of an operation's code.
 * @example
 * import type { CodeContext } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 * import type { operations } from '../../generated/types/openapi.ts';
 *
 * type Context = CodeContext<operations['getRatingSummary'], Resources>;
 *
 * const productOf = ({ store }: Context, id: string) => store.products.get(id);
 */
export interface CodeContext<O extends OperationTypes, R, Code extends string = string>
  extends OperationContext<R, Code> {
  /** Answers with a status, and with header fields if there are any. GraphQL leaves out both. */
  reply(reply: RepliesOf<O['responses']>): Replied<RepliesOf<O['responses']>>;
}

/**
 * The code of a custom operation, for every protocol: a function that is called once for each call, or one for `each` call of
 * many at once, which answers in their order, with an `ApiError` in the place of one that fails. `O` is the operation in
 * openapi-typescript's `operations`, `R` the types of the contract's resources, `Code` the codes that it declares, and `Filled`
 * the properties of its body that have a default. It answers with the body of the only success. Throws `ApiError`.
 * @example
 * import type { OperationHandler } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 * import type { operations } from '../../generated/types/openapi.ts';
 *
 * type Handler = OperationHandler<operations['getRatingSummary'], Resources>;
 *
 * export const getRatingSummary: Handler = async ({ productId }, { store, refuse }) => {
 *   const product = await store.products.get(productId);
 *   if (!product) throw refuse('NOT_FOUND');
 *   return { productId: product.id, count: 0, average: null, distribution: [0, 0, 0, 0, 0] };
 * };
 */
export type OperationHandler<O extends OperationTypes, R, Code extends string = string, Filled extends string = never> =
  | ((inputs: OperationInputs<O, Filled>, context: CodeContext<O, R, Code>) => Awaitable<OperationAnswer<O>>)
  | {
      readonly each: (
        inputs: readonly OperationInputs<O, Filled>[],
        context: CodeContext<O, R, Code>,
      ) => Awaitable<readonly (OperationAnswer<O> | ApiError<string>)[]>;
    };

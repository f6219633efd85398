import type { Readable } from 'node:stream';
import type { OperationContext } from '../engine/interface/field-handler.ts';

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
 * A schema's type as the server sends it: without write-only properties.
 * @example
 * import type { Answered } from 'lockstep';
 * import type { components } from '../../generated/types/openapi.ts';
 *
 * type User = Answered<components['schemas']['User']>;
 */
export type Answered<T> = T extends AnyWrite
  ? never
  : T extends ReadOnlyMark<infer U>
    ? Answered<U>
    : T extends (infer E)[]
      ? '0' extends keyof T
        ? { [K in keyof T]: Answered<T[K]> }
        : Answered<E>[]
      : T extends object
        ? { [K in keyof T as Is<T[K], AnyWrite> extends true ? never : K]: Answered<T[K]> }
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

/**
 * The handler of a custom operation. `O` is the operation in openapi-typescript's `operations`, `R` the types of the
 * contract's resources, `Code` the codes that it declares. Throws `ApiError` for a declared error.
 * @example
 * import type { OperationHandler } from 'lockstep';
 * import { ApiError } from '../../generated/errors.ts';
 * import type { Resources } from '../../generated/handlers.ts';
 * import type { operations } from '../../generated/types/openapi.ts';
 *
 * type Handler = OperationHandler<operations['getRatingSummary'], Resources>;
 *
 * export const getRatingSummary: Handler = async ({ params }, { store }) => {
 *   const product = await store.products.get(params.productId);
 *   if (!product) throw new ApiError('NOT_FOUND');
 *   return { status: 200, body: { productId: product.id, count: 0, average: null, distribution: [0, 0, 0, 0, 0] } };
 * };
 */
export type OperationHandler<O extends OperationTypes, R, Code extends string = string> = (
  request: OperationRequest<O>,
  context: OperationContext<R, Code>,
) => OperationReply<O> | Promise<OperationReply<O>>;

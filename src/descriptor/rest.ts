import type { Access } from './access.ts';
import type { HttpMethod, Schema } from './document.ts';

/** The REST side of a contract as the server needs it: what a document declares, with references to schemas alone. */
export interface RestDescriptor {
  /** In the order of the document. */
  readonly operations: readonly OperationDescriptor[];
  /** By the names of the document. */
  readonly securitySchemes: Readonly<Record<string, SchemeDescriptor>>;
  /** A server without room for the largest bodies starts all the same, and limits their operations by its settings. */
  readonly yieldsLimits?: true;
}

export interface OperationDescriptor {
  readonly operationId: string;
  readonly method: HttpMethod;
  /** As in the document: `/orders/{orderId}`. */
  readonly path: string;
  /** The path's parameters and the operation's, merged. */
  readonly parameters: readonly ParameterDescriptor[];
  readonly requestBody?: BodyDescriptor;
  /** By status as the document spells it: `200`, `4XX`, `default`. */
  readonly responses: Readonly<Record<string, ContentDescriptor>>;
  readonly access: Access;
  /** Codes that the responses declare (`x-error-codes`); undefined if they declare none. */
  readonly errorCodes?: readonly string[];
  readonly deprecation?: Deprecation;
  /** Hand-written code answers it; absent for the action of a resource. */
  readonly code?: CodeDescriptor;
}

/** How hand-written code answers an operation. */
export interface CodeDescriptor {
  /** The part of `handlers` with its function: one for every protocol, or one that only HTTP calls. */
  readonly in: 'operations' | 'routes';
  /** Whether it only reads. Otherwise it runs in a transaction. */
  readonly reads?: true;
}

/** What a deprecated operation says of that. */
export interface Deprecation {
  /** ISO 8601 date (`x-deprecated-since`). */
  readonly since?: string;
  /** ISO 8601 date (`x-sunset`). */
  readonly sunset?: string;
  /** URL of its documentation (`externalDocs`). */
  readonly docs?: string;
  /** Path of the successor version. */
  readonly successor?: string;
}

/** The schemas of a body by its media type. */
export type ContentDescriptor = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface BodyDescriptor {
  readonly required?: true;
  readonly content: Readonly<Record<string, MediaDescriptor>>;
}

export interface MediaDescriptor {
  readonly schema?: Schema;
  /** The most values that a body may have to be parsed. */
  readonly maxValues: number;
  /** The most bytes that a body may have; if left out, what the settings of a server allow. */
  readonly maxBytes?: number;
  /** The properties of a form, each as a query parameter would be. */
  readonly fields?: readonly ParameterDescriptor[];
}

/** A parameter, or a field of a form: what its value must be, and how that is written. */
export type ParameterDescriptor = ParameterFacts & ParameterForm;

interface ParameterFacts {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: true;
  /** An empty text is its value, whatever its schema is (`allowEmptyValue`). */
  readonly allowsEmpty?: true;
  /** What holds for the decoded value. */
  readonly schema: Schema;
  /** The value of one that is left out. */
  readonly default?: unknown;
}

/** Scalar types of JSON, the narrowest first: a text is a string only if it is a value of no other. */
export type ScalarTypes = readonly ('boolean' | 'integer' | 'number' | 'null' | 'string')[];

/** The style of a parameter, with OpenAPI's defaults (3.1, 4.8.12.2). */
interface Styled {
  readonly style: string;
  readonly explode: boolean;
}

export type ParameterForm = TextForm | JsonForm | ScalarForm | ListForm | ObjectForm;

/** The text is the value. */
interface TextForm {
  readonly kind: 'text';
}

/** The text is JSON. */
interface JsonForm {
  readonly kind: 'json';
}

interface ScalarForm extends Styled {
  readonly kind: 'scalar';
  readonly types: ScalarTypes;
}

export interface ListForm extends Styled {
  readonly kind: 'list';
  readonly items: ScalarTypes;
  /** An item may contain a comma, so that an encoded comma is data; else it is a delimiter, too. */
  readonly hasCommas?: true;
  readonly maxItems?: number;
  /** The types of a single text outside of a list; undefined: only lists are sent. */
  readonly single?: ScalarTypes;
}

export interface ObjectForm extends Styled {
  readonly kind: 'object';
  /** The types of its properties, by name. */
  readonly properties: Readonly<Record<string, ScalarTypes>>;
  /** The types of the items of those that are lists, by name. */
  readonly lists?: Readonly<Record<string, ScalarTypes>>;
  /** It may have others. */
  readonly isOpen?: true;
}

/** Where the credentials of a security scheme stand. */
export interface SchemeDescriptor {
  /** `connection`: in a certificate of the client. */
  readonly in: 'header' | 'query' | 'cookie' | 'connection';
  readonly name: string;
  /** A bearer token, which the server verifies by itself. */
  readonly isBearer?: true;
}

/** What is declared for a status: that of the status, its range, or the default (OpenAPI 3.1, 4.8.16). */
export function declaredFor<T>(responses: Readonly<Record<string, T>>, status: number): T | undefined {
  return responses[status] ?? responses[`${Math.trunc(status / 100)}XX`] ?? responses['default'];
}

/** The operation of an id, which is known to be among these; another is a programming error. */
export function operationWithId<O extends { readonly operationId: string }>(
  operations: readonly O[],
  operationId: string,
): O {
  const operation = operations.find((one) => one.operationId === operationId);
  if (!operation) throw new Error(`There is no operation ${operationId}.`);
  return operation;
}

/** The parts of a bundled OpenAPI 3.1 document that the server reads. References are local (`#/components/…`). */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly [key: string]: unknown };
  readonly servers?: readonly Server[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly requestBodies?: Readonly<Record<string, RequestBody>>;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
    readonly [key: string]: unknown;
  };
  readonly security?: readonly SecurityRequirement[];
  readonly [key: string]: unknown;
}

export const HTTP_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Whether an operation of a method reads, and changes nothing. */
export const isRead = (method: HttpMethod): boolean => method === 'get' || method === 'head';

export type PathItem = { readonly [M in HttpMethod]?: Operation } & {
  readonly parameters?: readonly (Parameter | Reference)[];
};

export interface Reference {
  readonly $ref: string;
}

/** JSON Schema 2020-12: an object or a boolean. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly security?: readonly SecurityRequirement[];
  readonly deprecated?: boolean;
  readonly 'x-deprecated-since'?: string;
  readonly 'x-sunset'?: string;
  readonly externalDocs?: { readonly url: string };
  readonly [key: string]: unknown;
}

/** The first tag of an operation; empty: it has none. */
export const tagOf = (operation: Operation): string =>
  String((operation['tags'] as readonly unknown[] | undefined)?.[0] ?? '');

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly allowEmptyValue?: boolean;
  readonly schema?: Schema;
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly style?: string;
  readonly explode?: boolean;
}

export interface MediaType {
  readonly schema?: Schema;
  /** How the properties of a form are written (OpenAPI 3.1, 4.8.15). */
  readonly encoding?: Readonly<Record<string, Encoding>>;
}

export interface Encoding {
  readonly contentType?: string;
  readonly style?: string;
  readonly explode?: boolean;
}

export interface RequestBody {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
}

export interface Response {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, MediaType>>;
  /** Codes of the catalogue that the response may carry. */
  readonly 'x-error-codes'?: readonly string[];
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface SecurityScheme {
  readonly type: 'http' | 'apiKey' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  readonly scheme?: string;
  readonly [key: string]: unknown;
}

/** Where the API is (OpenAPI 3.1, 4.8.5). */
export interface Server {
  readonly url: string;
  readonly variables?: Readonly<Record<string, { readonly default?: string }>>;
}

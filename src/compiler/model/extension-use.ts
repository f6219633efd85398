/** One `x-` key of a contract. */
export interface ExtensionUse {
  readonly name: string;
  readonly value: unknown;
  readonly node: object;
  /** A schema that has properties is a `schema`, any other a `property`. */
  readonly place: 'property' | 'schema' | 'operation' | 'parameter' | 'response' | 'info' | 'document';
}

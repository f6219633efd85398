/** The names of the root types of a schema. */
export interface RootNames {
  readonly query: string;
  readonly mutation: string;
  readonly subscription: string;
}

/** What can be added to a contract. */
export const ADDITIONS = ['resource', 'field', 'reference', 'filter', 'sort', 'operation', 'error'] as const;
export type AdditionKind = (typeof ADDITIONS)[number];

/** The flags that some of them take. */
export interface AdditionFlags {
  readonly singular?: string | undefined;
  readonly returns?: string | undefined;
}

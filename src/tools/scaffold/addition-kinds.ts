/** What can be added to a contract. */
export const ADDITIONS = ['resource', 'field', 'reference', 'filter', 'sort', 'operation', 'error'] as const;
export type AdditionKind = (typeof ADDITIONS)[number];

/** The kind that is a file beside the contract, and not a part of it: tests of who may do what. */
export const ACCESS = 'access' as const;

/** What the ids of a new resource are. */
export const ID_KINDS = ['uuid', 'integer', 'text', 'slug'] as const;
export type IdKind = (typeof ID_KINDS)[number];

/** The flags that some of them take. */
export interface AdditionFlags {
  readonly singular?: string | undefined;
  readonly returns?: string | undefined;
  readonly id?: IdKind | undefined;
}

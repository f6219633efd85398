/** What can be added to a contract. */
export const ADDITIONS = [
  'resource',
  'field',
  'reference',
  'filter',
  'sort',
  'totals',
  'batch',
  'links',
  'include',
  'operation',
  'error',
] as const;
export type AdditionKind = (typeof ADDITIONS)[number];

/** The kind that is a file beside the contract, and not a part of it: tests of who may do what. */
export const ACCESS = 'access' as const;

/** The kind that is a workflow of GitHub, in the repository of the project. */
export const CI = 'ci' as const;

/** The kind that is files beside the project: its image, and where that runs. */
export const DEPLOY = 'deploy' as const;

/** What the ids of a new resource are. */
export const ID_KINDS = ['uuid', 'integer', 'text', 'slug'] as const;
export type IdKind = (typeof ID_KINDS)[number];

/** The flags that some of them take. */
export interface AdditionFlags {
  readonly singular?: string | undefined;
  readonly returns?: string | undefined;
  readonly id?: IdKind | undefined;
}

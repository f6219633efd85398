/** The case of the names in an OpenAPI document: `info.x-naming`. */
export type NameCase = 'camelCase' | 'snake_case';

/** The names that the conventions demand and that a case spells in its own way. */
export interface ConventionNames {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly nextCursor: string;
  readonly previousCursor: string;
  readonly totalCount: string;
  readonly totalCountIsExact: string;
  readonly groupBy: string;
  readonly timeZone: string;
  readonly hasMore: string;
  readonly ifVersion: string;
}

const NAMES: Readonly<Record<NameCase, ConventionNames>> = {
  camelCase: {
    createdAt: 'createdAt',
    updatedAt: 'updatedAt',
    createdBy: 'createdBy',
    updatedBy: 'updatedBy',
    nextCursor: 'nextCursor',
    previousCursor: 'previousCursor',
    totalCount: 'totalCount',
    totalCountIsExact: 'totalCountIsExact',
    groupBy: 'groupBy',
    timeZone: 'timeZone',
    hasMore: 'hasMore',
    ifVersion: 'ifVersion',
  },
  snake_case: {
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    createdBy: 'created_by',
    updatedBy: 'updated_by',
    nextCursor: 'next_cursor',
    previousCursor: 'previous_cursor',
    totalCount: 'total_count',
    totalCountIsExact: 'total_count_is_exact',
    groupBy: 'group_by',
    timeZone: 'time_zone',
    hasMore: 'has_more',
    ifVersion: 'if_version',
  },
};

/** The names of the conventions in a case; camelCase where none is given. */
export const conventionNames = (nameCase: NameCase = 'camelCase'): ConventionNames => NAMES[nameCase];

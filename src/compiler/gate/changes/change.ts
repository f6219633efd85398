import type { Concerned, Location } from '../../findings/finding.ts';

/** The part of the version that a change increments (Semantic Versioning 2.0.0): `major` changes break clients. */
export type Impact = 'major' | 'minor' | 'patch';

/** What a change consists of, in terms of OpenAPI and GraphQL. Readers get sentences made of these, and not the message. */
export interface Facts {
  /** What of the subject differs: `maxLength`, `operationId`, `type`, `@auth`. Left out of what came or went as a whole. */
  readonly keyword?: string;
  /** The value before, and the one now. */
  readonly from?: unknown;
  readonly to?: unknown;
}

/** One difference between a released contract and the current one. */
export interface Change extends Concerned {
  readonly impact: Impact;
  readonly area: 'rest' | 'graphql' | 'mcp' | 'storage' | 'versions' | 'clients';
  readonly rule: string;
  /** What has changed, as a coordinate: `Order.status`, `listProducts.sort`, `createProduct.201.Location`. */
  readonly subject: string;
  readonly facts: Facts;
  readonly message: string;
  /** The location in the current contract; of something removed, where it would be. */
  readonly location: Location;
  /** Of a branch's change: the operationIds that it touches, and the fields of GraphQL (`Query.orders`). */
  readonly operations?: readonly string[];
  readonly fields?: readonly string[];
}

const ORDER: readonly Impact[] = ['patch', 'minor', 'major'];

/** The greatest impact of the changes, or undefined. */
export function impactOf(changes: readonly Change[]): Impact | undefined {
  return ORDER[Math.max(...changes.map(({ impact }) => ORDER.indexOf(impact)))];
}

/** The rule of a breaking change, as findings and waivers name it. */
export const breakingRule = ({ area, rule }: Pick<Change, 'area' | 'rule'>): string => `breaking-${area}/${rule}`;

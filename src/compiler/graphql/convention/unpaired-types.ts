import { typesOfBatches } from './batches.ts';
import { totalPages } from './totals.ts';

/** The types that have other members than the schemas of their names, by the conventions. */
export const unpairedTypes = (
  contract: Parameters<typeof totalPages>[0] & Parameters<typeof typesOfBatches>[0],
): ReadonlySet<string> => new Set([...totalPages(contract), ...typesOfBatches(contract)]);

import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { OperationDraft, ResourceDraft } from '../draft.ts';
import type { ReadFurther } from './further-fault.ts';
import { readBatches } from './read-batches.ts';
import { readLinks } from './read-links.ts';
import { readThroughs } from './read-throughs.ts';
import { readTotals } from './read-totals.ts';

type Read = (
  document: OpenApiDocument,
  operations: readonly OperationDraft[],
  resources: readonly ResourceDraft[],
) => readonly ReadFurther[];

/** Reads the operations with an extension that declares a further operation, by the rule that reports their faults. */
export const FURTHER_READERS = {
  'through-list': (_document, operations, resources) => readThroughs(operations, resources),
  totals: readTotals,
  batch: readBatches,
  link: readLinks,
} satisfies Readonly<Record<string, Read>>;

/** All of them, in the order in which resources have them. */
export const readFurther: Read = (...read) => Object.values<Read>(FURTHER_READERS).flatMap((one) => one(...read));

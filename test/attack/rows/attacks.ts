import type { Attack } from '../support/attack.ts';
import { deletions } from './deletions.ts';
import { dearFrames, refusedFrames } from './frames.ts';
import { largeBodies, largeHeads, wrongVariables } from './graphql-bodies.ts';
import { combinedFilters, dearLists, selfishCallers, summaries } from './lists.ts';
import { keyedBodies } from './rest-bodies.ts';
import { slowBodies } from './slow-bodies.ts';

/** All attacks, those last that leave nothing behind. */
export const attacks: readonly Attack[] = [
  ...wrongVariables,
  ...largeHeads,
  ...dearFrames,
  ...largeBodies,
  ...keyedBodies,
  ...dearLists,
  ...summaries,
  ...combinedFilters,
  ...slowBodies,
  ...refusedFrames,
  ...selfishCallers,
  ...deletions,
];

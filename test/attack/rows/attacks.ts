import type { Attack } from '../support/attack.ts';
import { chunkedBodies } from './chunks.ts';
import { deletions, forbiddenDeletion } from './deletions.ts';
import { dearFrames, longSubscriptions, refusedFrames } from './frames.ts';
import { largeBodies, largeHeads, wrongVariables } from './graphql-bodies.ts';
import { heads } from './heads.ts';
import { combinedFilters, dearLists, joinedLists, selfishCallers, summaries } from './lists.ts';
import { malformed, pipelines } from './pipelines.ts';
import { places } from './places.ts';
import { keyedBodies } from './rest-bodies.ts';
import { slowBodies } from './slow-bodies.ts';
import { unreadAnswers } from './unread.ts';

/** All attacks, those last that leave nothing behind. */
export const attacks: readonly Attack[] = [
  ...wrongVariables,
  ...largeHeads,
  ...dearFrames,
  ...largeBodies,
  ...keyedBodies,
  ...dearLists,
  ...joinedLists,
  ...summaries,
  ...combinedFilters,
  ...slowBodies,
  ...refusedFrames,
  ...selfishCallers,
  ...chunkedBodies(250_000),
  ...pipelines,
  ...malformed,
  ...heads,
  ...Object.values(places).filter(({ isDestructive }) => !isDestructive),
  ...unreadAnswers,
  longSubscriptions,
  forbiddenDeletion,
  places.writes,
  ...deletions,
];

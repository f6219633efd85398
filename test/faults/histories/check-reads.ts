import { type CommitLog, differences } from './commit-log.ts';
import type { Read } from './history.ts';

/** Reads find what was committed, and nothing older than what their caller was acknowledged. */
export function readFaults(log: CommitLog, reads: readonly Read[]): string[] {
  return reads.flatMap((read) => {
    const fault = read.body ? foundFault(log, read) : missingFault(log, read);
    return fault === undefined ? [] : [`${read.id}: ${read.how} ${fault}`];
  });
}

function foundFault(log: CommitLog, { id, body, atLeast }: Read): string | undefined {
  const { version } = body;
  const entry = log.at(id, version);
  if (!entry) return `version ${version}, which was never committed`;
  const [difference] = differences(body, entry);
  if (difference !== undefined) return `version ${version} with ${difference}`;
  if (atLeast === 'deleted') return `version ${version} after its deletion`;
  if (atLeast !== undefined && version < atLeast) return `version ${version} after ${atLeast}`;
  return undefined;
}

/** Rows that nobody has deleted are there. */
const missingFault = (log: CommitLog, { id }: Read): string | undefined =>
  log.isDeleted(id) ? undefined : 'nothing, though nobody has deleted it';

import { formatFindings } from '../compiler/findings/index.ts';
import type { Release } from '../compiler/gate/changes/index.ts';
import { releaseContract } from '../compiler/gate/index.ts';
import { keptFiles } from '../tools/kept-files.ts';
import { createStatusLine } from '../tools/status-line.ts';

export interface ReleaseOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder of what is generated from it. */
  readonly out: string;
  /** Prints what would be released, and writes nothing. */
  readonly isDryRun?: boolean | undefined;
}

/** Records the contract as released today. Resolves with the exit code: 1 when the contract is refused. */
export async function release({ contracts, out, isDryRun = false }: ReleaseOptions): Promise<number> {
  const date = new Date().toISOString().slice(0, 10);
  const line = createStatusLine(process.stderr);
  line.show(`comparing ${contracts} with the last release…`);
  const outcome = await releaseContract({ contracts, out, date, isDryRun, keep: keptFiles() }).finally(line.end);
  if (outcome.kind === 'refused') {
    console.error(formatFindings(outcome.findings, { colour: process.stderr.isTTY }));
    return 1;
  }
  console.log(outcome.kind === 'unchanged' ? unchanged(outcome.since) : released(outcome.release, isDryRun));
  return 0;
}

const unchanged = ({ version }: Release): string => `Nothing has changed since ${version}.`;

function released({ version, apiVersion, changes }: Release, isDryRun: boolean): string {
  const lines = changes.map(({ impact, area, message }) => `${impact.padEnd(5)}  ${area.padEnd(8)}  ${message}`);
  const outcome = `${isDryRun ? 'Would release' : 'Released'} ${version} of ${apiVersion}.`;
  return [...lines, ...(lines.length > 0 ? [''] : []), outcome].join('\n');
}

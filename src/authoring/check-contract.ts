import { type Base, type GateOptions, runGate, type Verdict } from '../compiler/gate/index.ts';
import type { Piece } from '../compiler/pieces.ts';
import { entryOf } from '../compiler/read/index.ts';
import { checkAccess } from '../proving/check-access.ts';
import { checkConsumers, readConsumers, relianceOn } from '../tools/consumers/index.ts';
import { keptFiles } from '../tools/kept-files.ts';
import { checkMigrations } from './contract/check-migrations.ts';
import { formatGithub } from './contract/formats/github.ts';
import { formatJson } from './contract/formats/json.ts';
import { formatJunit } from './contract/formats/junit.ts';
import { formatMarkdown } from './contract/formats/markdown.ts';
import { formatSarif } from './contract/formats/sarif.ts';
import { formatVerdicts } from './contract/formats/verdicts.ts';
import { withMergeBase } from './contract/merge-base.ts';
import type { ReportFormat } from './report-formats.ts';

export interface CheckOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder of what was generated from it. */
  readonly out: string;
  readonly pieces: readonly Piece[];
  readonly format: ReportFormat;
  /** Postgres to run the files of migrations on; undefined: SQLite in memory. */
  readonly database?: string | undefined;
  /** A commit, such as `origin/main`: what has changed since the branch left it is judged by the releases there. */
  readonly against?: string | undefined;
  /** Prints every warning. */
  readonly all?: boolean | undefined;
}

/**
 * Checks a contract and prints the verdicts. Resolves with the exit code: 1 for any error, and for a check that an
 * error kept from running. Throws `CommandFailure` where git does not have what `against` names.
 */
export async function checkContract(options: CheckOptions): Promise<number> {
  const { contracts, against } = options;
  const run = (base?: Base) => verdictsOf(options, base);
  const verdicts = await (against === undefined ? run() : withMergeBase(contracts, against, run));
  console.log(formatted(verdicts, options));
  return verdicts.some((verdict) => verdict.status === 'failed' || isBlocked(verdict)) ? 1 : 0;
}

/** The verdicts of the checks. `base`: what the branch of the contract started from. */
export async function verdictsOf(
  { contracts, out, pieces, database }: Pick<CheckOptions, 'contracts' | 'out' | 'pieces' | 'database'>,
  base?: Base,
): Promise<readonly Verdict[]> {
  const registered = readConsumers((await entryOf(contracts)).folder);
  const options: GateOptions = {
    ...{ contracts, out, base },
    access: (model) => checkAccess(contracts, model),
    migrations: (model) => checkMigrations(contracts, model, database),
    consumers: async (model) => checkConsumers(registered, model),
    reliance: registered && ((...editions) => relianceOn(registered, ...editions)),
    keep: keptFiles(),
    date: new Date().toISOString().slice(0, 10),
  };
  return runGate(options, pieces);
}

const isBlocked = (verdict: Verdict): boolean => verdict.status === 'not-run' && verdict.isBlocked;

/** The verdicts as the command prints them. */
export function formatted(
  verdicts: readonly Verdict[],
  { format, contracts, all }: Pick<CheckOptions, 'format' | 'contracts' | 'all'>,
): string {
  switch (format) {
    case 'json':
      return formatJson(verdicts);
    case 'sarif':
      return formatSarif(verdicts, contracts);
    case 'github':
      return formatGithub(verdicts, contracts);
    case 'markdown':
      return formatMarkdown(verdicts, contracts);
    case 'junit':
      return formatJunit(verdicts, contracts);
    case 'human':
      return formatVerdicts(verdicts, { colour: process.stdout.isTTY, isWhole: all ?? false });
  }
}

import { type Base, type GateOptions, runGate, type Verdict } from '../compiler/gate/index.ts';
import type { ContractModel } from '../compiler/model/index.ts';
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
  const date = new Date().toISOString().slice(0, 10);
  const { contracts, against, database, pieces } = options;
  const access = (model: ContractModel) => checkAccess(contracts, model);
  const migrations = (model: ContractModel) => checkMigrations(contracts, model, database);
  const registered = readConsumers((await entryOf(contracts)).folder);
  const consumers = async (model: ContractModel) => checkConsumers(registered, model);
  const reliance: GateOptions['reliance'] = registered && ((...editions) => relianceOn(registered, ...editions));
  const checks = { access, migrations, consumers, reliance, keep: keptFiles() };
  const run = (base?: Base) => runGate({ ...options, ...checks, base, date }, pieces);
  const verdicts = await (against === undefined ? run() : withMergeBase(contracts, against, run));
  console.log(formatted(verdicts, options));
  return verdicts.some((verdict) => verdict.status === 'failed' || isBlocked(verdict)) ? 1 : 0;
}

const isBlocked = (verdict: Verdict): boolean => verdict.status === 'not-run' && verdict.isBlocked;

function formatted(verdicts: readonly Verdict[], { format, contracts, all }: CheckOptions): string {
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

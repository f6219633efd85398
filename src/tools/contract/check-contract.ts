import { formatGithub, formatJson } from '../../compiler/gate/formats/formats.ts';
import { formatSarif } from '../../compiler/gate/formats/sarif.ts';
import { formatVerdicts } from '../../compiler/gate/formats/verdicts.ts';
import { runGate, type Verdict } from '../../compiler/gate/gate.ts';
import type { Piece } from '../../compiler/gate/pieces.ts';
import { checkAccess } from '../access-tests/check-access.ts';
import { checkMigrations } from './check-migrations.ts';
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
  /** Prints every warning. */
  readonly all?: boolean | undefined;
}

/**
 * Checks a contract and prints the verdicts. Resolves with the exit code: 1 for any error, and for a check that an
 * error kept from running.
 */
export async function checkContract(options: CheckOptions): Promise<number> {
  const date = new Date().toISOString().slice(0, 10);
  const verdicts = await runGate(
    {
      ...options,
      date,
      access: (model) => checkAccess(options.contracts, model),
      migrations: (model) => checkMigrations(options.contracts, model, options.database),
    },
    options.pieces,
  );
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
    case 'human':
      return formatVerdicts(verdicts, { colour: process.stdout.isTTY, isWhole: all ?? false });
  }
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding } from '../findings/finding.ts';
import { draftContract } from '../model/resources/draft-contract.ts';
import type { ContractSource } from '../model/source.ts';
import { entryOf } from '../read/read-contract.ts';
import { redocly } from '../read/redocly.ts';

/** The part of the output of `redocly lint --format json` that is read here. */
interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly severity: 'error' | 'warn';
    readonly message: string;
    readonly location: readonly {
      readonly source: { readonly ref: string };
      readonly pointer?: string;
      readonly start?: { readonly line: number; readonly col: number };
    }[];
    readonly suggest?: readonly string[];
  }[];
}

const CONFIG = 'redocly.yaml';
const HOW_TO_MEND = 'Write it as the page of the rule shows, or configure the rule in `redocly.yaml`.';
const MAX_PROBLEMS = '1000';
/** What Redocly would give up on, download, or read from anywhere. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'file-missing',
  'file-unreadable',
  'syntax',
  'duplicate-key',
  'openapi-version',
  'reference-remote',
  'reference-outside',
]);

/**
 * Redocly's findings in a contract, by the `redocly.yaml` of the contract, of the project, or the default one. Redocly does
 * not see a document with files that it cannot parse or should not read; those are reported as the compiler reads them.
 */
export async function lintFindings(contracts: string, source: ContractSource): Promise<readonly Finding[]> {
  const { folder, entry } = await entryOf(contracts);
  const ours = fileURLToPath(new URL(CONFIG, import.meta.url));
  const config = resolve([join(folder, CONFIG), CONFIG].find((path) => existsSync(path)) ?? ours);
  const args = ['lint', entry, '--config', config, '--max-problems', MAX_PROBLEMS];
  const unreadable = source.findings.filter(({ rule }) => UNREADABLE.has(rule));
  if (unreadable.length > 0) return unreadable;
  const report = await redocly<Report>(args, folder).catch((error: unknown) => error as Error);
  if (report instanceof Error) return [failure(entry, report)];
  const { problems } = report;
  // A document of others that the compiler reads is served as it is, whatever it lacks by the default configuration.
  const isOrdinary = config === ours && isServedAsItIs(source);
  return problems.map(({ ruleId, severity, message, location: [place], suggest = [] }) => ({
    rule: `redocly/${ruleId}`,
    severity: severity === 'error' && !isOrdinary ? 'error' : 'warning',
    message,
    hint: suggest.length > 0 ? `Did you mean ${suggest.join(', ')}?` : HOW_TO_MEND,
    location: {
      file: place?.source.ref ?? entry,
      line: place?.start?.line ?? 1,
      column: place?.start?.col ?? 1,
      pointer: place?.pointer?.replace(/^#/, '') ?? '',
    },
  }));
}

/** Redocly ends where it meets what it does not expect, such as a schema that is nothing but a reference to itself. */
const failure = (entry: string, { message }: Error): Finding => ({
  rule: 'lint-failed',
  severity: 'error',
  message: `Redocly cannot read this document: ${reasonOf(message)}`,
  hint: 'The other checks may name the place.',
  location: { file: entry, line: 1, column: 1, pointer: '' },
});

/** The line that says what it is: an item of a list, or that of an error behind the code that threw it. */
function reasonOf(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  return lines.find((line) => /^(?:- |\w*Error: )/.test(line))?.replace(/^- /, '') ?? lines[0]!;
}

const isServedAsItIs = (source: ContractSource): boolean =>
  source.findings.every(({ severity }) => severity !== 'error') && !draftContract(source).conventional;

import { parseArgs } from 'node:util';
import { formatFindings, MAX_WARNINGS } from '../src/compiler/findings/report.ts';
import { formatGithub, formatJson, formatSarif } from '../src/compiler/gate/formats.ts';
import { PIECES, type Piece, runGate, type Verdict } from '../src/compiler/gate/gate.ts';
import { ConfigError } from '../src/descriptor/config-error.ts';
import { explainFailure } from '../src/tools/command/explain-failure.ts';

const FORMATS = ['human', 'json', 'sarif', 'github'] as const;
type Format = (typeof FORMATS)[number];

const USAGE = `Usage: npm run contract -- [--contracts DIR] [--out DIR] [--only PIECES] [--format FORMAT] [--all]

Keeps a contract honest; exits with 1 on any error.

  lint      the rules of OpenAPI, by Redocly (redocly.yaml of the contract, of the project, or ours)
  contract  the conventions, and that REST and GraphQL say the same
  drift     that DIR holds what the contract gives
  changes   that nobody who relies on the last release breaks

  --contracts DIR   the contract (default: contracts)
  --out DIR         what was generated (default: generated)
  --only A,B        these pieces alone
  --format FORMAT   ${FORMATS.join(', ')} (default: human)
  --all             every warning, not the first ${MAX_WARNINGS} only`;

interface Options {
  readonly contracts: string;
  readonly out: string;
  readonly format: Format;
  readonly pieces: readonly Piece[];
  readonly all: boolean;
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      contracts: { type: 'string', default: 'contracts' },
      out: { type: 'string', default: 'generated' },
      only: { type: 'string' },
      format: { type: 'string', default: 'human' },
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const pieces = values.only?.split(',') ?? PIECES;
  return {
    ...values,
    format: oneOf('--format', values.format, FORMATS),
    pieces: pieces.map((piece) => oneOf('--only', piece, PIECES)),
  };
}

function oneOf<T extends string>(flag: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (!found) throw new ConfigError([`${flag}: ${value} is none of ${known.join(', ')}`]);
  return found;
}

function print(verdicts: readonly Verdict[], { format, contracts, all }: Options): void {
  if (format === 'json') console.log(formatJson(verdicts));
  else if (format === 'sarif') console.log(formatSarif(verdicts, contracts));
  else if (format === 'github') console.log(formatGithub(verdicts, contracts));
  else for (const verdict of verdicts) printForPeople(verdict, all);
}

function printForPeople({ piece, findings, summary }: Verdict, all: boolean): void {
  console.log(`${failed(findings) ? '✗' : '✓'} ${piece.padEnd(8)}  ${summary}`);
  if (findings.length === 0) return;
  const maxWarnings = all ? undefined : MAX_WARNINGS;
  console.log(`\n${formatFindings(findings, { colour: process.stdout.isTTY, maxWarnings })}\n`);
}

const failed = (findings: Verdict['findings']): boolean => findings.some(({ severity }) => severity === 'error');

try {
  const options = readOptions();
  if (options) {
    const verdicts = await runGate(options, options.pieces);
    print(verdicts, options);
    if (verdicts.some(({ findings }) => failed(findings))) process.exitCode = 1;
  } else console.log(USAGE);
} catch (error) {
  console.error(explainFailure(error, USAGE));
  process.exitCode = 1;
}

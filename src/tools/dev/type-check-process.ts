import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Diagnostic } from 'typescript';
import type { TypeReport } from './type-check.ts';

// The process that checks the types of a project for `npm run dev`: with the project's own TypeScript, and after whatever else the
// machine has to do.
const LOWER = 10;
setPriority(LOWER);
process.once('disconnect', () => process.exit());

const ts = createRequire(resolve('package.json'))('typescript') as typeof import('typescript');
const formatHost = {
  getCanonicalFileName: (path: string) => path,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
};
let found: Diagnostic[] = [];

function format(diagnostics: readonly Diagnostic[]): string {
  const text = ts.formatDiagnosticsWithColorAndContext(diagnostics, formatHost).trimEnd();
  return process.stdout.isTTY ? text : stripVTControlCharacters(text);
}

ts.createWatchProgram(
  ts.createWatchCompilerHost(
    'tsconfig.json',
    { noEmit: true },
    ts.sys,
    ts.createSemanticDiagnosticsBuilderProgram,
    (diagnostic) => found.push(diagnostic),
    (_status, _newLine, _options, errors) => {
      // Only the end of a check comes with a number of errors.
      if (errors !== undefined) process.send!({ errors, text: format(found) } satisfies TypeReport);
      found = [];
    },
  ),
);

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');

/** Where files of a type check import Lockstep from, `depth` folders below its own. */
export const libraryFrom = (depth: number): string => `${'../'.repeat(depth + 2)}src/index.ts`;

/**
 * Type errors of each file, each as `line: message`, under the project's own options, `overrides` aside; the files live
 * in a folder of the project meanwhile.
 */
export async function typeErrors(
  files: Readonly<Record<string, string>>,
  overrides: ts.CompilerOptions = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = await mkdtemp(join(root, 'test', '.types-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const sources = Object.keys(files).filter((path) => /\.(?:ts|json)$/.test(path));
    return typeErrorsIn(folder, sources, overrides);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The same for files that there are, in a folder anywhere. */
export function typeErrorsIn(
  folder: string,
  paths: readonly string[],
  overrides: ts.CompilerOptions = {},
): ReadonlyMap<string, readonly string[]> {
  const files = paths.map((path) => join(folder, path));
  const program = ts.createProgram(files, { ...options, ...overrides }, hostOf(folder));
  return new Map(paths.map((path, i) => [path, errorsIn(program, files[i]!)]));
}

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);

/** What all checks have in common: `src/`, packages, the language itself. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Parses but once what is outside the folder. */
function hostOf(folder: string): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) => {
    if (path.startsWith(folder)) return getSourceFile(path, ...rest);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  return host;
}

function errorsIn(program: ts.Program, path: string): string[] {
  const source = program.getSourceFile(path)!;
  const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return diagnostics.map(({ start = 0, messageText }) => {
    const { line } = source.getLineAndCharacterOfPosition(start);
    return `${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { API, type Diagnostic, type Program } from 'typescript-7/unstable/sync';

const root = join(import.meta.dirname, '..', '..');

/** Where files of a type check import Lockstep from, `depth` folders below its own. */
export const libraryFrom = (depth: number): string => `${'../'.repeat(depth + 2)}src/index.ts`;

/**
 * Type errors of each file, each as `line: message`, under the project's own options, `overrides` aside; the files live
 * in a folder of the project meanwhile.
 */
export async function typeErrors(
  files: Readonly<Record<string, string>>,
  overrides: object = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = await mkdtemp(join(root, 'test', '.types-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const sources = Object.keys(files).filter((path) => /\.(?:ts|json)$/.test(path));
    return await typeErrorsIn(folder, sources, overrides);
  } finally {
    await rm(folder, { recursive: true });
  }
}

let compiler: API | undefined;

/** The same for files that there are, in a folder anywhere. */
export async function typeErrorsIn(
  folder: string,
  paths: readonly string[],
  overrides: object = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const config = join(folder, 'tsconfig.checked.json');
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')], ...overrides };
  const project = { extends: join(root, 'tsconfig.json'), compilerOptions, files: paths, include: [] };
  await writeFile(config, JSON.stringify(project));
  // It stays for the files of tests to come: of what all checks have in common, the most is parsed once.
  compiler ??= new API({ cwd: root });
  const { program } = compiler.updateSnapshot({ openProjects: [config] }).getProject(config)!;
  const errors = new Map<string, readonly string[]>();
  for (const path of paths) {
    const file = join(folder, path);
    const found = errorsIn(program, file);
    const text = await readFile(file, 'utf8');
    errors.set(
      path,
      found.map((one) => `${text.slice(0, one.pos).split('\n').length}: ${messageOf(one)}`),
    );
  }
  compiler.updateSnapshot({ closeProjects: [config] });
  return errors;
}

export const errorsIn = (program: Program, file: string): readonly Diagnostic[] => [
  ...program.getSyntacticDiagnostics(file),
  ...program.getSemanticDiagnostics(file),
];

/** With what it comes from, a line each. */
export const messageOf = ({ text, messageChain = [] }: Diagnostic): string =>
  [text, ...messageChain.map((one) => messageOf(one).replaceAll(/^/gm, '  '))].join('\n');

import { execFile } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { API } from 'typescript-7/unstable/sync';
import { describe, expect, it } from 'vitest';
import { blockOf } from './support/documents.ts';
import { errorsIn, messageOf } from './support/type-check.ts';

const root = join(import.meta.dirname, '..');
/** What a project imports, by the name it imports it by. */
const MODULES = {
  lockstep: 'src/index.ts',
  'lockstep/testing': 'src/testing.ts',
  'lockstep/codegen': 'src/codegen.ts',
};
const MODULE_PATHS = Object.fromEntries(Object.entries(MODULES).map(([name, path]) => [name, [join(root, path)]]));

interface Export {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly string[];
}

/** What the modules export, but for what they pass on from a package. Only files of the project are read, to be quick. */
function ownExports(): readonly Export[] {
  const files = Object.values(MODULES).map((path) => join(root, path));
  const bare = { ...options(), types: [], noLib: true };
  const host = ts.createCompilerHost(bare);
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) => ({
      resolvedModule: text.startsWith('.')
        ? { resolvedFileName: join(dirname(file), text), extension: ts.Extension.Ts }
        : undefined,
    }));
  const program = ts.createProgram(files, bare, host);
  const checker = program.getTypeChecker();
  return files.flatMap((file) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    return checker
      .getExportsOfModule(module)
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .filter(({ declarations }) => declarations !== undefined)
      .map((symbol) => describeSymbol(symbol, checker));
  });
}

function describeSymbol(symbol: ts.Symbol, checker: ts.TypeChecker): Export {
  const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example');
  return {
    name: symbol.name,
    description: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    examples: tags.map(({ text }) => ts.displayPartsToString(text)),
  };
}

function options(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  return { ...options, paths: MODULE_PATHS };
}

/** The folder that an example is written for: handlers, a file beside their folder, or tests. */
function folderOf(example: string): string {
  if (example.includes("'./handlers/")) return 'src';
  return example.includes("'../src/") ? 'test' : 'src/handlers';
}

/** Type errors of texts that only seem to be files, by path. */
function typeErrorsOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const config = join(root, 'tsconfig.examples.json');
  const compilerOptions = { paths: MODULE_PATHS };
  const project = { extends: './tsconfig.json', compilerOptions, files: [...files.keys()], include: [] };
  const texts = new Map([...files, [config, JSON.stringify(project)]]);
  const fs = {
    readFile: (path: string) => texts.get(path),
    fileExists: (path: string) => texts.has(path) || undefined,
  };
  const compiler = new API({ cwd: root, fs });
  const { program } = compiler.updateSnapshot({ openProjects: [config] }).getProject(config)!;
  const errors = [...files.keys()].map((path) => [path, errorsIn(program, path).map(messageOf)] as const);
  compiler.close();
  return new Map(errors);
}

describe('the public API', () => {
  const exported = ownExports();

  it('documents every export, and shows how it is used', () => {
    const names = exported.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['ApiError', 'Overrides', 'start', 'serve', 'TestClock']));
    expect(exported.filter(({ description }) => description.length < 20).map(({ name }) => name)).toEqual([]);
    const unused = exported.filter(({ name, examples }) => !new RegExp(`\\b${name}\\b`).test(examples.join('\n')));
    expect(unused.map(({ name }) => name)).toEqual([]);
  });

  it('has examples whose types hold', () => {
    const wrong = join(root, 'src/handlers/example-wrong.ts');
    const text =
      "import { ApiError } from '../../generated/errors.ts';\nexport const error = new ApiError('NO_SUCH_CODE');\n";
    const examples = exported.flatMap(({ name, examples }) =>
      examples.map((text, i) => [join(root, folderOf(text), `example-${name}-${i}.ts`), text] as const),
    );
    expect(examples.length).toBeGreaterThanOrEqual(exported.length);
    examples.push([join(root, 'test/example-testing.ts'), blockOf('testing.md', 'ts test')]);
    for (const [path, errors] of typeErrorsOf(new Map([...examples, [wrong, text]])))
      expect(errors, path).toEqual(path === wrong ? [expect.stringContaining('NO_SUCH_CODE')] : []);
  });

  it('is cheap to import for generated code: no package is loaded, and no server', async () => {
    const script = `import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      await import('./generated/errors.ts');
      console.log(loaded.join('\\n'));`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    const loaded = stdout.trim().split('\n');
    expect(loaded.map((url) => relative(root, fileURLToPath(url))).sort()).toEqual([
      'generated/errors.ts',
      'src/index.ts',
      'src/runtime/errors/api-error.ts',
      'src/runtime/errors/index.ts',
      'src/runtime/jobs/define-job.ts',
      'src/runtime/jobs/index.ts',
    ]);
  });
});

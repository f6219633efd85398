import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { blockOf } from './support/documents.ts';

const root = join(import.meta.dirname, '..');
/** What a project imports, by the name it imports it by. */
const MODULES = {
  lockstep: 'src/index.ts',
  'lockstep/testing': 'src/testing.ts',
  'lockstep/codegen': 'src/codegen.ts',
};

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
  const paths = Object.entries(MODULES).map(([name, path]) => [name, [join(root, path)]]);
  return { ...options, paths: Object.fromEntries(paths) };
}

/** The folder that an example is written for: handlers, a file beside their folder, or tests. */
function folderOf(example: string): string {
  if (example.includes("'./handlers/")) return 'src';
  return example.includes("'../src/") ? 'test' : 'src/handlers';
}

/** Type errors of texts that only seem to be files, by path. */
function typeErrorsOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const host = ts.createCompilerHost(options());
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, language, ...rest) =>
    files.has(path)
      ? ts.createSourceFile(path, files.get(path)!, language)
      : getSourceFile.call(host, path, language, ...rest);
  const program = ts.createProgram([...files.keys()], options(), host);
  return new Map(
    [...files.keys()].map((path) => {
      const source = program.getSourceFile(path)!;
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      return [path, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))];
    }),
  );
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
    expect(loaded.map((url) => url.slice(url.lastIndexOf(`/`) + 1)).sort()).toEqual([
      'api-error.ts',
      'errors.ts',
      'index.ts',
    ]);
  });
});

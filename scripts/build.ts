import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { CompilerOptions } from 'typescript';
import { TEMPLATES } from '../src/authoring/new-deploy.ts';
import { installedPath, LIBRARIES, type Library, licencesOf } from '../src/readers/docs/index.ts';
import { MIN_NODE_MAJOR } from '../src/runtime/boot-fault.ts';
import { COMMANDS } from '../src/tools/commands.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('build', {
  description: 'Builds the npm package `lockstep`: plain JavaScript with types, for teams that use it as a dependency.',
  examples: [{ what: 'into another folder', args: '--out ../lockstep-package' }],
})
  .option('--out <dir>', 'folder to write', 'dist/package')
  .action(({ out }) => build(out));

/** Folders of TypeScript that become JavaScript. */
const SOURCES = ['src', 'scripts'];
/** What belongs to the contract of this repository; `sdk/` is source that the compiler turns into clients. */
const OWN = /^(?:src\/(?:handlers\/|readers\/sdk\/|main\.ts)|scripts\/(?:bench\/|lockstep\.js))/;
const OWN_SCRIPTS = COMMANDS.filter(({ place }) => place === 'repository').map(({ name }) => `scripts/${name}.ts`);
/** What a test or a tool may have left beside the sources. */
const LEFT_BEHIND = /(?:^|\/)(?:__pycache__|\.[^/]+)(?:\/|$)/;
const SDK = 'src/readers/sdk';
/** Files of the root that the package has as they are: what people read, and what `new deploy` writes. */
const ROOT_FILES = ['LICENSE', 'README.md', 'docs', ...TEMPLATES];

/** What the compiler and its tools need beside the dependencies of the server: all that their modules import, and companions. */
export const TOOL_PACKAGES = [
  '@faker-js/faker',
  '@graphql-codegen/add',
  '@graphql-codegen/cli',
  '@graphql-codegen/typescript',
  '@graphql-codegen/typescript-operations',
  '@graphql-codegen/typescript-resolvers',
  '@graphql-inspector/core',
  '@seriousme/openapi-schema-validator',
  'beautiful-mermaid',
  'diff',
  'fast-check',
  'markdown-it',
  'markdown-it-anchor',
  'openapi-typescript',
  'pgsql-parser',
  'pluralize',
  'redos-detector',
  'rolldown',
  'typescript',
  'yaml',
];

/**
 * Packages that no module imports: one that is run by its path, and versions that work for `@graphql-codegen/cli`, which must be
 * found by whoever installs without our lockfile: `overrides` of a dependency have no effect.
 */
export const COMPANIONS = ['@redocly/cli', '@graphql-tools/delegate', '@graphql-tools/wrap'];

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

async function build(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  const modules = await emit(await sources());
  for (const [path, text] of modules) await write(join(out, 'lib', path), text);
  for (const path of [SDK, ...(await assets())]) await cp(path, join(out, 'lib', path), { recursive: true });
  await copyLibraries(join(out, 'lib/src/readers/docs/assets/libraries'));
  await cp('scripts/lockstep.js', join(out, 'bin/lockstep.js'));
  for (const path of ROOT_FILES) await cp(path, join(out, path), { recursive: true });
  const root = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
  await write(join(out, 'package.json'), `${JSON.stringify(manifest(root), undefined, 2)}\n`);
  console.log(`Wrote ${out}/: ${modules.size} modules.`);
}

/** What the documentation serves of other packages, with their licences: nobody installs all that they come with. */
async function copyLibraries(folder: string): Promise<void> {
  for (const name of Object.keys(LIBRARIES) as Library[]) await cp(installedPath(name), join(folder, name));
  await write(join(folder, 'LICENCES.txt'), await licencesOf());
}

/** The modules of the package. */
export const sources = async (): Promise<string[]> => (await files()).filter((path) => path.endsWith('.ts'));

/** What its modules read at run time, or hand to tools of other languages. */
export const assets = async (): Promise<string[]> => (await files()).filter((path) => !path.endsWith('.ts'));

async function files(): Promise<string[]> {
  const found = await Promise.all(
    SOURCES.map(async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  return found
    .flat()
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !OWN.test(path) && !LEFT_BEHIND.test(path) && !OWN_SCRIPTS.includes(path));
}

/** JavaScript and declarations by path. Rejects when a type does not hold. */
async function emit(paths: readonly string[]): Promise<Map<string, string>> {
  const { default: ts } = await import('typescript');
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...config.compilerOptions,
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: '.',
      outDir: '.',
    },
    '.',
  ) as { options: CompilerOptions };
  const program = ts.createProgram([...paths], options);
  const [fault] = ts.getPreEmitDiagnostics(program);
  if (fault) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
  const written = new Map<string, string>();
  program.emit(undefined, (path, text) => {
    const name = relative('.', path).replaceAll('\\', '/');
    written.set(
      name,
      name.endsWith('.d.ts') ? text.replace(/((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2') : text,
    );
  });
  return written;
}

/**
 * What a server needs is a dependency, what the compiler needs is an optional one: `npm ci --omit=optional` leaves the
 * server alone.
 */
function manifest({ version, description, license, dependencies, devDependencies }: Manifest): object {
  const tools = [...TOOL_PACKAGES, ...COMPANIONS].sort().map((name) => [name, devDependencies[name]]);
  return {
    name: 'lockstep',
    version,
    description,
    license,
    type: 'module',
    engines: { node: `>=${MIN_NODE_MAJOR}` },
    bin: { lockstep: 'bin/lockstep.js' },
    exports: {
      '.': { types: './lib/src/index.d.ts', default: './lib/src/index.js' },
      './testing': { types: './lib/src/testing.d.ts', default: './lib/src/testing.js' },
      './codegen': { types: './lib/src/codegen.d.ts', default: './lib/src/codegen.js' },
      './package.json': './package.json',
    },
    files: ['bin', 'lib', 'docs', ...TEMPLATES],
    dependencies,
    optionalDependencies: Object.fromEntries(tools),
  };
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

if (import.meta.main) void runScript(command);

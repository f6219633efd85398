import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandFailure } from '../src/tools/command-failure.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';
import { startOptions } from '../src/tools/start-options.ts';

export const command = defineCommand('image', {
  description:
    'Bundles the server, the compiled contract and its handlers for an image, which starts sooner and uses less memory. ' +
    "If `src/main.ts` exists, it is the entry for the project's own contract.",
  examples: [
    { what: 'into another folder', args: '--out /app' },
    { what: 'another contract without custom operations', args: '--contracts path/to/folder' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract (default: the output of contracts/)')
  .option('--handlers <dir>', 'folder whose index.ts exports `handlers` (default: src/handlers for contracts/)')
  .option('--out <dir>', 'folder to write', 'dist/image')
  .action(async ({ out, ...flags }) => {
    const { contracts, handlers } = startOptions(flags);
    const main = flags.handlers === undefined && existsSync(MAIN) ? resolve(MAIN) : undefined;
    if (contracts === undefined) return image({ generated: resolve('generated'), handlers, main }, resolve(out));
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-image-'));
    try {
      await compileInto(folder, contracts);
      await image({ generated: folder, handlers, main: undefined }, resolve(out));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

/** A project's own entry, if it has one. */
const MAIN = 'src/main.ts';

/** What the server reads of `generated/` besides modules. */
const FILES = ['openapi.json', 'rest.json', 'versions.json', 'tools.json', 'schema.graphql'];

/** The text of an entry: Node keeps what it compiles in the image. */
const entryOf = (name: string): string => `import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache({ directory: join(import.meta.dirname, 'cache'), portable: true });
await import('./src/${name}.js');
`;

/** By then, V8 has collected what a start leaves behind. */
const SETTLED_MS = 3_000;

/**
 * Lets that collection give back the room for new objects that the start has filled, which V8 would keep. Not earlier: under
 * another flag, Node compiles its own modules anew.
 */
const SETTLING = `const { setFlagsFromString } = process.getBuiltinModule('node:v8');
setFlagsFromString('--optimize-for-size');
setTimeout(setFlagsFromString, ${SETTLED_MS}, '--no-optimize-for-size').unref();
`;

/** Throws `CommandFailure` for a contract with errors. */
async function compileInto(folder: string, contracts: string): Promise<void> {
  const { compileContract } = await import('../src/compiler/compile-contract.ts');
  const { libraryFor } = await import('../src/compiler/emit/folder/index.ts');
  const { writeOutput } = await import('../src/compiler/emit/folder/index.ts');
  const { formatFindings } = await import('../src/compiler/findings/index.ts');
  const { files, findings } = await compileContract(contracts, libraryFor(folder));
  if (!files) throw new CommandFailure(`${formatFindings(findings)}\n\n${contracts} cannot be bundled.`);
  await writeOutput(folder, files);
}

interface Served {
  /** Folder. */
  readonly generated: string;
  /** Module, or the folder of its `index.ts`. */
  readonly handlers: string | undefined;
  /** The project's own entry. */
  readonly main: string | undefined;
}

async function image({ generated, handlers: path, main }: Served, out: string): Promise<void> {
  const [
    { handlersFor, moduleFile },
    { generatedContract },
    { bundle },
    { servedDocuments },
    { warm },
    { basePathOf },
  ] = await Promise.all([
    import('../src/tools/served-contract.ts'),
    import('../src/runtime/generated-contract.ts'),
    import('./image/bundle.ts'),
    import('./image/standalone-validators.ts'),
    import('./image/warm.ts'),
    import('../src/descriptor/base-path.ts'),
  ]);
  const contract = await generatedContract(pathToFileURL(`${generated}/`));
  const documents = await servedDocuments(contract, await handlersFor({ handlers: path }));
  const handlers = path && (await moduleFile(path));
  await rm(out, { recursive: true, force: true });
  const files = await bundle({ generated, documents, main, handlers }, join(out, 'src'));
  const present = await readdir(generated);
  for (const name of FILES.filter((one) => present.includes(one)))
    await cp(join(generated, name), join(out, 'generated', name));
  if (existsSync('migrations')) await cp('migrations', join(out, 'migrations'), { recursive: true });
  await copyStemmers(join(out, 'node_modules/@orama/stemmers'));
  await writeFile(join(out, 'main.js'), entryOf('main') + SETTLING);
  await writeFile(join(out, 'migrate.js'), entryOf('migrate'));
  await writeFile(join(out, 'package.json'), '{ "private": true, "type": "module" }\n');
  const lists = [contract, ...Object.values(contract.versions ?? {})].flatMap(({ document, rest }) =>
    rest.operations.flatMap(({ method, path }) =>
      method === 'get' && !path.includes('{') ? [basePathOf(document) + path] : [],
    ),
  );
  await warm(out, lists);
  await readable(join(out, 'cache'));
  console.log(`Wrote ${out}/: ${files} files of code.`);
}

/** Node keeps its cache to its user; a container has another one. */
async function readable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

/** Searches load those of their languages by name. */
async function copyStemmers(folder: string): Promise<void> {
  const source = dirname(dirname(createRequire(import.meta.url).resolve('@orama/stemmers/english')));
  await mkdir(join(folder, 'dist'), { recursive: true });
  const modules = (await readdir(join(source, 'dist'))).filter((name) => name.endsWith('.cjs'));
  for (const path of ['package.json', 'LICENSE.md', ...modules.map((name) => `dist/${name}`)])
    await cp(join(source, path), join(folder, path));
}

if (import.meta.main) void runScript(command);

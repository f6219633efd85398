import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineCommand } from '../src/tools/command/define-command.ts';
import { runScript } from '../src/tools/command/run-command.ts';

export const command = defineCommand('image', {
  description:
    'Bundles the server, what the contract compiles to and its handlers, for an image: it starts sooner, in less memory.',
  examples: [{ what: 'into another folder', args: '--out /app' }],
})
  .option('--out <dir>', 'folder to write', 'dist/image')
  .action(({ out }) => image(resolve(out)));

/** What the server reads of `generated/` besides modules. */
const FILES = ['openapi.json', 'rest.json', 'versions.json', 'schema.graphql'];

/** The text of an entry: Node keeps what it compiles in the image. */
const entryOf = (name: string): string => `import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache({ directory: join(import.meta.dirname, 'cache'), portable: true });
await import('./src/${name}.js');
`;

async function image(out: string): Promise<void> {
  const [{ handlers }, { generatedContract }, { bundle }, { servedDocuments }, { warm }, { basePathOf }] =
    await Promise.all([
      import('../src/handlers/index.ts'),
      import('../src/runtime/generated-contract.ts'),
      import('./image/bundle.ts'),
      import('./image/standalone-validators.ts'),
      import('./image/warm.ts'),
      import('../src/descriptor/base-path.ts'),
    ]);
  const generated = resolve('generated');
  const contract = await generatedContract(pathToFileURL(`${generated}/`));
  const { document, rest } = contract;
  await rm(out, { recursive: true, force: true });
  const files = await bundle(generated, await servedDocuments(contract, handlers), join(out, 'src'));
  const present = await readdir(generated);
  for (const name of FILES.filter((one) => present.includes(one)))
    await cp(join(generated, name), join(out, 'generated', name));
  if (existsSync('migrations')) await cp('migrations', join(out, 'migrations'), { recursive: true });
  await copyStemmers(join(out, 'node_modules/@orama/stemmers'));
  for (const name of ['main', 'migrate']) await writeFile(join(out, `${name}.js`), entryOf(name));
  await writeFile(join(out, 'package.json'), '{ "private": true, "type": "module" }\n');
  const lists = rest.operations.filter(({ method, path }) => method === 'get' && !path.includes('{'));
  await warm(
    out,
    lists.map(({ path }) => basePathOf(document) + path),
  );
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

import { mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { compileContract } from '../../compiler/compile-contract.ts';
import { libraryFor } from '../../compiler/emit/library.ts';
import { replaceFile, writeOutput } from '../../compiler/emit/output-folder.ts';
import { CommandFailure } from '../command/command-failure.ts';
import { readField } from './field.ts';
import { addResource } from './new-resource.ts';
import { nounOf } from './noun.ts';
import { starterFiles } from './starter.ts';

/** What may be in a folder that counts as empty: git's own files, and those of npm when Lockstep was installed first. */
const HARMLESS = new Set([
  '.git',
  '.gitignore',
  'LICENSE',
  'node_modules',
  'package.json',
  'package-lock.json',
  '.npmrc',
]);
const FIRST_RESOURCE = { collection: 'notes', fields: ['title:string!', 'body:text', 'status:enum(OPEN,DONE)!'] };
const CODEGEN = 'codegen.ts';
const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;

/** Starts a project in an empty folder. `name`: of its npm package. Throws `CommandFailure`. */
export async function initProject(
  folder: string,
  name: string = basename(resolve(folder)).toLowerCase(),
): Promise<void> {
  if (!NAME.test(name))
    throw new CommandFailure(`${name} is not a valid name for an npm package; choose one with --name.`);
  await refuseFull(folder);
  await start(folder, name);
  const enter = resolve(folder) === resolve('.') ? '' : `  cd ${folder}\n`;
  console.log(`Started ${name}: contracts/, generated/, src/handlers/. Next:\n${enter}  npm install\n  npm run dev`);
}

async function refuseFull(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const stranger = (await readdir(folder)).find((entry) => !HARMLESS.has(entry));
  if (stranger !== undefined)
    throw new CommandFailure(`${join(folder, stranger)} is there already; a project starts in an empty folder.`);
}

async function start(folder: string, name: string): Promise<void> {
  const files = new Map(starterFiles(name, await ownVersion()));
  const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  if (manifest !== undefined) files.set('package.json', merged(manifest, files.get('package.json')!));
  // `codegen.ts` imports the package, which may be installed only after this.
  const codegen = files.get(CODEGEN)!;
  files.delete(CODEGEN);
  for (const [path, text] of files) await replaceFile(join(folder, path), text);
  const contracts = join(folder, 'contracts');
  const outcome = await addResource(contracts, nounOf(FIRST_RESOURCE.collection), FIRST_RESOURCE.fields.map(readField));
  if (outcome.kind === 'refused') throw new Error(outcome.findings.map(({ message }) => message).join('\n'));
  const generated = join(folder, 'generated');
  const { files: output } = await compileContract(contracts, libraryFor(generated));
  await writeOutput(generated, output!);
  await replaceFile(join(folder, CODEGEN), codegen);
}

/** What npm has written when Lockstep was installed first stays; what a project needs is added. */
function merged(existing: string, own: string): string {
  const [theirs, ours] = [JSON.parse(existing), JSON.parse(own)] as Record<string, Record<string, string>>[];
  const part = (name: string) => ({ [name]: { ...ours![name], ...theirs![name] } });
  const { test: _, ...scripts } = theirs!['scripts'] ?? {};
  const both = { ...ours, ...theirs, type: 'module', ...part('dependencies'), ...part('devDependencies') };
  return `${JSON.stringify({ ...both, scripts: { ...ours!['scripts'], ...scripts } }, undefined, 2)}\n`;
}

/** The `package.json` of Lockstep is at the root of the repository, and above `lib/` in the package. */
async function ownVersion(): Promise<string> {
  const places = ['../../../package.json', '../../../../package.json'].map((path) => new URL(path, import.meta.url));
  for (const place of places) {
    const text = await readFile(place, 'utf8').catch(() => undefined);
    if (text !== undefined) return (JSON.parse(text) as { readonly version: string }).version;
  }
  throw new Error('The package has no package.json.');
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { compileContract } from '../compiler/compile-contract.ts';
import { LIBRARY, replaceFile, writeOutput } from '../compiler/emit/folder/index.ts';
import { PACKAGE_NAME } from '../descriptor/package.ts';
import { CommandFailure } from '../tools/command-failure.ts';
import { OWN_VERSION } from '../tools/own-package.ts';
import { readField } from './scaffold/field.ts';
import { addResource } from './scaffold/new-resource.ts';
import { nounOf } from './scaffold/noun.ts';
import { type PackageManager, packageManagerOf } from './scaffold/package-manager.ts';
import { starterFiles } from './scaffold/starter.ts';

const FIRST_RESOURCE = { collection: 'notes', fields: ['title:string!', 'body:text', 'status:enum(OPEN,DONE)!'] };

/**
 * Starts a project in a folder, or goes on where that has failed. `name`: of its npm package. Throws `CommandFailure` and writes nothing
 * where a file is in the way.
 */
export async function initProject(folder: string, name?: string): Promise<void> {
  const manager = packageManagerOf(folder);
  const called = name ?? (await nameIn(folder)) ?? basename(resolve(folder)).toLowerCase();
  if (!PACKAGE_NAME.test(called))
    throw new CommandFailure(`${called} is not a valid name for an npm package; choose one with --name.`);
  const { files, output } = await projectFiles(called, manager);
  const merged = await mergedInto(folder, files);
  await writeOutput(join(folder, 'generated'), output);
  for (const [path, text] of merged) await replaceFile(join(folder, path), text);
  const enter = resolve(folder) === resolve('.') ? '' : `  cd ${folder}\n`;
  const next = `${enter}  ${manager} install\n  ${manager} run dev`;
  console.log(`Started ${called}: contracts/, generated/, src/handlers/. Next:\n${next}`);
}

/** All files of a new project: what is written by hand, and the compiler's output. They are made elsewhere, so that all or none are. */
async function projectFiles(name: string, manager: PackageManager) {
  const files = new Map(starterFiles(name, OWN_VERSION, manager));
  const draft = await mkdtemp(join(tmpdir(), 'lockstep-init-'));
  try {
    for (const [path, text] of files) if (path.startsWith('contracts/')) await replaceFile(join(draft, path), text);
    const contracts = join(draft, 'contracts');
    const fields = FIRST_RESOURCE.fields.map(readField);
    const outcome = await addResource(contracts, nounOf(FIRST_RESOURCE.collection), fields);
    if (outcome.kind === 'refused') throw new Error(outcome.findings.map(({ message }) => message).join('\n'));
    for (const path of outcome.files)
      files.set(relative(draft, path).replaceAll('\\', '/'), await readFile(path, 'utf8'));
    const { files: output } = await compileContract(contracts, LIBRARY);
    return { files, output: output! };
  } finally {
    await rm(draft, { recursive: true });
  }
}

/** The files as they go into a folder, with what it has of them. Throws `CommandFailure` where one that is there cannot go on. */
async function mergedInto(folder: string, files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const merged = new Map(files);
  const taken: string[] = [];
  for (const [path, ours] of files) {
    const theirs = await readFile(join(folder, path), 'utf8').catch(() => undefined);
    if (theirs === undefined || theirs === ours) continue;
    const merge = MERGES[path];
    if (merge) merged.set(path, merge(theirs, ours));
    else taken.push(join(folder, path));
  }
  if (taken.length === 0) return merged;
  throw new CommandFailure(
    `${taken.join(', ')}: this exists already, and init would write it. Move it, or name another folder.`,
  );
}

/** How a file that is there goes on, with what a project needs in it. */
const MERGES: Readonly<Record<string, (theirs: string, ours: string) => string>> = {
  'README.md': (theirs) => theirs,
  '.gitignore': mergedLines,
  'package.json': mergedManifest,
};

function mergedLines(theirs: string, ours: string): string {
  const known = theirs.split(/\r?\n/);
  const added = ours.split('\n').filter((line) => line !== '' && !known.includes(line));
  return added.length === 0 ? theirs : `${theirs.replace(/\n?$/, '\n')}${added.join('\n')}\n`;
}

/** What a package manager has written stays, but npm's placeholder of a test; what a project needs is added. */
function mergedManifest(existing: string, own: string): string {
  const [theirs, ours] = [JSON.parse(existing), JSON.parse(own)] as [Manifest, Required<Manifest>];
  const { lockstep = ours.dependencies['lockstep']!, ...devDependencies } = theirs.devDependencies ?? {};
  const { test = '', ...scripts } = theirs.scripts ?? {};
  const isPlaceholder = test === '' || test.includes('no test specified');
  const merged = {
    ...ours,
    ...theirs,
    name: ours.name,
    type: 'module',
    scripts: { ...ours.scripts, ...scripts, ...(!isPlaceholder && { test }) },
    dependencies: { lockstep, ...theirs.dependencies },
    devDependencies: { ...ours.devDependencies, ...devDependencies },
  };
  return `${JSON.stringify(merged, undefined, 2)}\n`;
}

interface Manifest {
  readonly name?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

async function nameIn(folder: string): Promise<string | undefined> {
  const path = join(folder, 'package.json');
  const text = await readFile(path, 'utf8').catch(() => '{}');
  try {
    return (JSON.parse(text) as Manifest).name;
  } catch (error) {
    throw new CommandFailure(`${path}: ${(error as Error).message}`);
  }
}

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { replaceFile } from '../compiler/emit/folder/index.ts';
import { CommandFailure } from '../tools/command-failure.ts';
import { OWN_FOLDER } from '../tools/own-package.ts';
import { INSTALLS, installerOf } from './new-ci.ts';
import { LOCK_FILES, type PackageManager, packageManagerOf } from './scaffold/package-manager.ts';

/** Files and folders that this repository and a project are deployed by; the package has them as they are here. */
export const TEMPLATES = ['Dockerfile', '.dockerignore', 'compose.yaml', 'deploy'];

/** How a package manager runs the command of a package, and the files that configure it beside `.npmrc`. */
const MANAGERS: Readonly<Record<PackageManager, { readonly run: string; readonly settings: string }>> = {
  npm: { run: 'npx', settings: '' },
  pnpm: { run: 'pnpm exec', settings: 'pnpm-workspace.yaml' },
  yarn: { run: 'yarn run', settings: '.yarnrc.yml' },
  bun: { run: 'bun x', settings: 'bunfig.toml' },
};

/**
 * Writes the files that deploy a project into its folder, in its names and for its package manager; resolves with their paths. Throws
 * `CommandFailure`, with nothing written, if one is there.
 */
export async function newDeploy(folder: string): Promise<readonly string[]> {
  const written = new Map<string, string>();
  const { name, version } = await manifestOf(folder);
  for (const path of await templates()) {
    const text = await readFile(join(OWN_FOLDER, path), 'utf8');
    written.set(path, /docker/i.test(path) ? installing(text, folder) : named(text, name, version));
  }
  const taken = [...written.keys()].filter((path) => existsSync(join(folder, path)));
  if (taken.length > 0) throw new CommandFailure(`${taken.join(', ')}: already there. Nothing was written.`);
  for (const [path, text] of written) await replaceFile(join(folder, path), text);
  return [...written.keys()];
}

async function templates(): Promise<readonly string[]> {
  const found = TEMPLATES.map(async (path) => {
    const entries = await readdir(join(OWN_FOLDER, path), { recursive: true, withFileTypes: true }).catch(
      () => undefined,
    );
    const files = entries?.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return files?.map((file) => relative(OWN_FOLDER, file).replaceAll('\\', '/')).sort() ?? path;
  });
  return (await Promise.all(found)).flat();
}

/** The name of the project as a DNS label, and its version. */
async function manifestOf(folder: string): Promise<{ readonly name: string; readonly version: string }> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const { name = '', version = '0.1.0' } = JSON.parse(text) as { readonly name?: string; readonly version?: string };
  const label = name
    .replace(/^.*\//, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-$/g, '');
  return { name: label || 'api', version };
}

/** What is called `lockstep` here has the name of the project there; metrics, `lockstep_…`, keep theirs. */
const named = (text: string, name: string, version: string): string =>
  text.replaceAll(/(\/lockstep):[\d.]+/g, `$1:${version}`).replaceAll(/\blockstep\b/g, name);

/** The image installs what the lock file of the project says. */
function installing(text: string, folder: string): string {
  const manager = packageManagerOf(folder);
  const { run, settings } = MANAGERS[manager];
  const install = INSTALLS[installerOf(folder)]
    .join(' && ')
    .replace('corepack', 'npm install --global corepack && corepack');
  return text
    .replaceAll('package-lock.json', LOCK_FILES[manager][0])
    .replace('npm ci', manager === 'npm' ? 'npm ci' : install)
    .replace('.npmrc*', `.npmrc*${settings && ` ${settings}*`}`)
    .replace('!.npmrc', `!.npmrc${settings && `\n!${settings}`}`)
    .replace('npm run image --', `${run} lockstep image`);
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The names of a manager's lock file, the usual one first. */
export const LOCK_FILES = {
  npm: ['package-lock.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
} as const;

export type PackageManager = keyof typeof LOCK_FILES;

const NAMES = Object.keys(LOCK_FILES) as PackageManager[];

/**
 * What installs the packages of a folder: the manager that runs this command, else the one whose lock file is nearest, else npm. npx is
 * used beside any of them, so that npm running it says nothing.
 */
export function packageManagerOf(folder: string, agent = process.env['npm_config_user_agent'] ?? ''): PackageManager {
  const running = NAMES.find((name) => name !== 'npm' && agent.startsWith(`${name}/`));
  return running ?? lockedBy(resolve(folder)) ?? 'npm';
}

function lockedBy(folder: string): PackageManager | undefined {
  const here = NAMES.find((name) => LOCK_FILES[name].some((file) => existsSync(join(folder, file))));
  const parent = dirname(folder);
  return here ?? (parent === folder ? undefined : lockedBy(parent));
}

/** Whether the nearest lock file of Yarn is of Yarn 1, which has other flags than later versions. */
export function isYarnClassic(folder: string): boolean {
  const file = join(folder, 'yarn.lock');
  if (existsSync(file)) return readFileSync(file, 'utf8').includes('# yarn lockfile v1');
  const parent = dirname(folder);
  return parent !== folder && isYarnClassic(parent);
}

/** How a script is called with arguments: npm alone takes them for its own without a separator. */
export const scriptWith = (manager: PackageManager, script: string): string =>
  `${manager} run ${script}${manager === 'npm' ? ' --' : ''}`;

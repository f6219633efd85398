import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { withFolder } from '../support/folder.ts';
import { builtPackage, runIn, userEnvironment } from '../support/package.ts';
import { oneIn } from '../support/thorough.ts';

const MANAGERS = ['pnpm@12.21.0', '@yarnpkg/cli-dist@4.18.1', 'bun@1.4.5'];
const EMPTY = { 'package.json': '{}' };
const MANIFEST = { 'package.json': '{ "private": true }', 'yarn.lock': '', 'README.md': '# api\n' };

interface Installation {
  readonly name: string;
  /** What a folder has before Lockstep is installed, as the manager's own `init` makes it. */
  readonly files: Readonly<Record<string, string>>;
  /** Of the project, if that is not the folder that the packages are installed in. */
  readonly workspace?: string;
  readonly manager: 'npm' | 'pnpm' | 'yarn' | 'bun';
  readonly add: readonly string[];
  readonly exec: readonly string[];
  /** What the manager leaves, so that it is known to have been the one. */
  readonly leaves: string;
}

const INSTALLATIONS: readonly Installation[] = [
  { name: 'pnpm', files: EMPTY, manager: 'pnpm', add: ['add'], exec: ['pnpm', 'exec'], leaves: 'pnpm-lock.yaml' },
  {
    name: 'Yarn with node_modules',
    files: { ...MANIFEST, '.yarnrc.yml': 'nodeLinker: node-modules\n' },
    manager: 'yarn',
    add: ['add'],
    exec: ['yarn', 'exec'],
    leaves: 'node_modules/.yarn-state.yml',
  },
  {
    name: 'Yarn with Plug’n’Play',
    files: MANIFEST,
    manager: 'yarn',
    add: ['add'],
    exec: ['yarn', 'exec'],
    leaves: '.pnp.cjs',
  },
  {
    name: 'workspaces of npm',
    files: { 'package.json': '{ "workspaces": ["packages/*"] }', 'packages/api/package.json': '{ "name": "api" }' },
    workspace: 'packages/api',
    manager: 'npm',
    add: ['install', '--workspace', 'packages/api'],
    exec: ['npx', '--no'],
    leaves: 'package-lock.json',
  },
  { name: 'Bun', files: EMPTY, manager: 'bun', add: ['add'], exec: ['bun', 'x'], leaves: 'bun.lock' },
];

/** The managers, in a folder of their own; without a network they are missing. */
let tools: string | undefined;
let environment: NodeJS.ProcessEnv = {};
let tarball = '';

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-managers-'));
  const installed = await runIn(folder, ['npm', 'install', '--prefix', '.', '--ignore-scripts', ...MANAGERS]);
  if (installed.code !== 0 && process.env['REQUIRE_PACKAGE_MANAGERS'] === 'true') throw new Error(installed.stderr);
  if (installed.code !== 0) console.warn(`No package managers to test: ${installed.stderr}`);
  tools = installed.code === 0 ? folder : undefined;
  environment = await environmentOf(folder);
  tarball = (await builtPackage()).tarball;
});
afterAll(async () => {
  if (tools !== undefined) await rm(tools, { recursive: true });
});

/** They are commands, and ask the registry that npm asks. */
async function environmentOf(folder: string): Promise<NodeJS.ProcessEnv> {
  const modules = join(folder, 'node_modules');
  const [bun] = await readdir(join(modules, '@oven')).catch(() => []);
  const folders = [join(modules, '.bin'), join(modules, '@oven', String(bun), 'bin')];
  const registry = (await runIn(folder, ['npm', 'config', 'get', 'registry'])).stdout.trim();
  return {
    PATH: [...folders.toReversed(), userEnvironment['PATH']].join(delimiter),
    npm_config_registry: registry,
    YARN_NPM_REGISTRY_SERVER: registry,
    // A manager that finds a server of continuous integration installs no other versions than those of its lock file.
    CI: '',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  };
}

describe.concurrent('a project', () => {
  it.for(oneIn(3, INSTALLATIONS))(
    'is started, checked and tested with $name',
    async (installation, { skip, expect }) => {
      skip(tools === undefined, 'the package managers cannot be installed');
      const { files, workspace = '', manager, add, exec, leaves } = installation;
      const run = async (cwd: string, ...command: readonly string[]): Promise<string> => {
        const { code, stdout, stderr } = await runIn(cwd, command, environment);
        expect(code, `${command.join(' ')}: ${stdout}${stderr}`).toBe(0);
        return stdout;
      };
      await withFolder(files, async (folder) => {
        const project = join(folder, workspace);
        await run(folder, manager, ...add, `lockstep@file:${tarball}`);
        const started = await run(project, ...exec, 'lockstep', 'init', '--name', 'api');
        expect(started).toContain(`Next:\n  ${manager} install\n  ${manager} run dev\n`);
        await run(folder, manager, 'install');
        await readFile(join(folder, leaves));
        expect(await run(project, manager, 'run', 'check')).toContain('✓ drift');
        expect(await run(project, manager, 'run', 'test')).toContain('2 passed');
      });
    },
  );
});

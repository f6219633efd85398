import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PACKAGE_COMMANDS } from '../../src/tools/commands.ts';
import type { CommandModule } from '../../src/tools/define-command.ts';
import { freePort } from '../../src/tools/free-port.ts';
import { blocksOf } from '../docs/support/blocks.ts';
import { Command } from '../support/command.ts';
import { SECRET } from '../support/instance.ts';
import { installPackage, type Ran, runIn } from '../support/package.ts';
import { hasPostgres, SERVER } from '../support/postgres.ts';
import { hasToolchain } from '../support/toolchains.ts';

const root = join(import.meta.dirname, '..', '..');

interface Run {
  /** Words of the command line; `ORIGIN` stands for that of a server of the project. */
  readonly args: readonly string[];
  /** What it prints. */
  readonly says: string | RegExp;
  /** Its exit code, 0 if left out. */
  readonly code?: number;
  /** What it says is an error. */
  readonly isRefused?: true;
  /** Whether it goes on until it is told to end. */
  readonly serves?: true;
  /** Whether this machine has what it needs. */
  readonly can?: boolean;
}

const run = (line: string, says: Run['says'], more: Omit<Run, 'args' | 'says'> = {}): Run => ({
  args: (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1')),
  says,
  ...more,
});
const serving = (line: string, says: Run['says']): Run => run(line, says, { serves: true });

const OTHER = '--contracts other/contracts --out other/generated';
const CALLER = `'{"sub":"ada","scope":"notes:read notes:write"}'`;

/** What a project does with each command, in the order of a project's life: all of its options, at least once. */
const RUNS: Readonly<Record<string, readonly Run[]>> = {
  init: [run('other --name @acme/other', 'Started @acme/other')],
  new: [
    run("resource people 'name:string!' --singular person --id integer", 'contracts/paths/people.yaml'),
    run(`resource pages 'text:string!' 'note:ref(notes)!' ${OTHER}`, 'other/contracts/paths/pages.yaml'),
    run(`operation lend 'POST /notes/{noteId}/lend' dueOn:date! --returns Note ${OTHER}`, 'operations: {'),
    run(`resource pages --remove --dry-run ${OTHER}`, 'Would remove'),
    run('access --contracts club --out dist/club', 'access.yaml'),
    run('ci', '.github/workflows/contract.yml'),
    run('deploy', 'Wrote Dockerfile, .dockerignore, compose.yaml, deploy/alerts.yaml'),
  ],
  sync: [
    run('--dry-run', 'Nothing to derive'),
    run(`--from openapi --connection Note.pages ${OTHER}`, 'other/contracts/graphql/'),
  ],
  import: [
    run(`--database ${SERVER} --out imported --only none --except none --key none= --json`, '--only none', {
      code: 1,
      isRefused: true,
      can: hasPostgres,
    }),
  ],
  generate: [run('', 'generated/'), run('--check --all', 'is up to date'), run(OTHER, 'other/generated/')],
  contract: [
    run('--all', '✓ drift'),
    run('--only drift,contract --format json', '"findings"'),
    run(`--fix ${OTHER}`, '✓ drift'),
    run('--against HEAD', '✓ lint'),
    run(`--database ${SERVER}`, '✓ lint', { can: hasPostgres }),
  ],
  parity: [run('--all', 'notes'), run('--json --contracts contracts', '"verdict"')],
  explain: [
    run(`notes.list --as ${CALLER} --database sqlite`, /select/i),
    run('notes.list --format json --contracts contracts', '"action"'),
  ],
  proof: [
    run('--samples 1 --seed 3 --json --contracts contracts --handlers src/handlers/index.ts', '"differences"'),
    run(`--samples 1 --database ${SERVER}`, /agree/, { can: hasPostgres }),
    run('--tables tables.sql', '--tables needs --database', { code: 1, isRefused: true }),
  ],
  migrate: [
    run('--check --sql --contracts contracts', 'To do on', { code: 1 }),
    run('--even-if-older --reset-clock', 'create table notes'),
    run('', 'is up to date'),
  ],
  jobs: [run('list --state dead --name send --format json', '[]')],
  start: [
    serving('', 'is served at'),
    serving(`--contracts other/contracts --handlers none.ts --sample sample.ts`, 'is served at'),
  ],
  dev: [
    serving('--no-types --reset', 'is served at'),
    serving(`${OTHER} --handlers none.ts --sample sample.ts`, 'is served at'),
  ],
  verify: [
    run('--url ORIGIN --runs 20 --seed 4 --strict', 'no deviations'),
    run('--url ORIGIN --runs 1 --seed 4 --token TOKEN --other-token TOKEN --contracts contracts', 'no deviations'),
  ],
  mock: [serving('--rows 3 --seed 2 --contracts contracts', 'is served at')],
  docs: [run('--out dist/site --url https://api.example.com --contracts contracts', 'open dist/site/index.html')],
  clients: [
    run('--language python --strict', 'dist/clients', { can: hasToolchain('python') }),
    run('--language java --package com.acme.notes --package-version 2.0.0', 'dist/clients', {
      can: hasToolchain('java'),
    }),
    run('--language go --contracts contracts --out dist/go --documents documents', 'dist/go', {
      can: hasToolchain('go'),
    }),
  ],
  release: [run(`--dry-run ${OTHER}`, '0.1.0')],
  copy: [
    run('--from sqlite:data/lockstep.db --to sqlite:copied.db', 'notes: '),
    run('--from sqlite:data/lockstep.db --to sqlite:again.db --contracts contracts', 'notes: '),
  ],
  backup: [run('--to backup.db', 'backup.db: ')],
  token: [run(`--sub ada --scope notes:read --claims '{"tenant":"a"}' --expires 1d`, /^eyJ\S+\n$/)],
  image: [
    run('--out dist/image', 'files of code'),
    run('--contracts other/contracts --handlers none.ts --out dist/other', 'files of code'),
  ],
  completion: [run('bash', 'complete -F _lockstep lockstep')],
};

/** Commands that an installation without optional packages runs. */
const OF_PRODUCTION: readonly string[] = ['start', 'migrate', 'copy', 'backup'];

const FILES: Readonly<Record<string, string>> = {
  'sample.ts': 'export const sample = () => [];\n',
  'none.ts': `export const handlers = {
  operations: { lend: async () => null },
};
`,
  'documents/notes.graphql': 'query Titles { notes(first: 2) { nodes { title } } }\n',
};

/** As `docs/operations.md` has it. */
const MAIN = blocksOf('docs/operations.md').find(({ markers }) =>
  markers['tested in']?.includes('package-commands'),
)!.text;

const all = Object.entries(RUNS).flatMap(([name, runs]) =>
  runs.map((one) => ({ name, ...one, line: one.args.join(' ') })),
);

describe('the commands of the package', () => {
  let project = '';
  let production = '';
  const bin = (folder: string): string => join(folder, 'node_modules/lockstep/bin/lockstep.js');
  const lockstep = (folder: string, name: string, args: readonly string[]): Promise<Ran> =>
    runIn(folder, [process.execPath, bin(folder), name, ...args]);

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-commands-'));
    [project, production] = [join(folder, 'project'), join(folder, 'production')];
    await installPackage(project);
    const author = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com'];
    for (const command of [
      [process.execPath, bin(project), 'init', '--name', 'notebook'],
      ['npm', 'install'],
      ['git', 'init'],
      ['git', ...author, 'commit', '--allow-empty', '--message', 'nothing yet'],
    ]) {
      const ran = await runIn(project, command);
      expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    }
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(join(project, path, '..'), { recursive: true });
      await writeFile(join(project, path), text);
    }
    await cp(join(root, 'test/fixtures/club'), join(project, 'club'), { recursive: true });
    await cp(project, production, { recursive: true, filter: (path) => path !== join(project, 'node_modules') });
    const installed = await runIn(production, ['npm', 'ci', '--omit=dev', '--omit=optional']);
    expect(installed.code, installed.stderr).toBe(0);
  });
  afterAll(() => rm(join(project, '..'), { recursive: true }));

  it.each(PACKAGE_COMMANDS.map(({ name }) => name))('%s is tried with all of its options', async (name) => {
    const { command }: CommandModule = await import(`../../scripts/${name}.ts`);
    const tried = (RUNS[name] ?? []).flatMap(({ args }) => args);
    expect(RUNS[name]).toBeDefined();
    expect(command.options.map(({ long }) => long).filter((long) => !tried.includes(long!))).toEqual([]);
  });

  /** Runs a command that serves until it has printed something, or has ended. */
  async function served(folder: string, name: string, { args, says }: Run, environment = {}): Promise<Ran> {
    const settings = { PORT: '0', NODE_ENV: 'development', ...environment };
    const command = new Command(bin(folder), [name, ...args], settings, folder);
    const pattern = typeof says === 'string' ? new RegExp(says.replaceAll(/[/.]/g, '\\$&')) : says;
    await Promise.race([command.output(pattern).catch(() => undefined), command.finished]);
    const { code, stdout, stderr } = await command.stop();
    return { code: code ?? 1, stdout, stderr };
  }

  /** Runs a command as a user would; one of a running server has it. */
  async function ranIn(folder: string, name: string, one: Run): Promise<Ran> {
    if (one.serves) return served(folder, name, one);
    if (!one.args.includes('ORIGIN')) return lockstep(folder, name, one.args);
    const server = new Command(bin(folder), ['start'], { PORT: '0', NODE_ENV: 'development' }, folder);
    const [, origin] = /served at (http:\/\/[^/]+)/.exec(await server.output(/Ctrl-C stops it/))!;
    const { stdout: token } = await lockstep(folder, 'token', ['--scope', 'notes:read notes:write']);
    const values: Readonly<Record<string, string>> = { ORIGIN: origin!, TOKEN: token.trim() };
    const ran = await lockstep(
      folder,
      name,
      one.args.map((word) => values[word] ?? word),
    );
    await server.stop();
    return ran;
  }

  const expectation = ({ code = 0, says, isRefused }: Run) => ({
    code,
    [isRefused ? 'stderr' : 'stdout']:
      typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
  });

  describe('in a project', () => {
    it.for(all)('lockstep $name $line', async ({ name, ...one }, { skip, expect }) => {
      skip(one.can === false, 'this machine lacks what it needs');
      const ran = await ranIn(project, name, one);
      expect(ran, ran.stdout + ran.stderr).toMatchObject(expectation(one));
    });
  });

  describe('without optional packages', () => {
    const ofServers = all.filter(({ name, args }) => OF_PRODUCTION.includes(name) && !args.includes('--contracts'));

    it.each(ofServers)('lockstep $name $line', async ({ name, ...one }) => {
      const ran = await ranIn(production, name, one);
      expect(ran, ran.stdout + ran.stderr).toMatchObject(expectation(one));
    });

    const others = PACKAGE_COMMANDS.filter(({ name }) => !OF_PRODUCTION.includes(name));
    it.each(others)('lockstep $name runs, or names the package that is missing', async ({ name }) => {
      const one = RUNS[name]![0]!;
      const args = one.args.map((word) => word.replace('ORIGIN', 'http://127.0.0.1:1'));
      const { code, stderr } = one.serves
        ? await served(production, name, one)
        : await lockstep(production, name, args);
      if (code !== 0) expect(stderr).toMatch(/^The package \S+ is not installed; \S+ imports it\. /);
    });

    it.each([
      ['lockstep start', () => [bin(production), 'start']],
      ['a module of the project', () => [join(production, 'src/main.ts')]],
      ['the image that lockstep made of it', () => [join(project, 'dist/image/main.js')]],
      ['the image of another contract', () => [join(project, 'dist/other/main.js')]],
    ] as const)('serves in production by %s', async (_, script) => {
      await writeFile(join(production, 'src/main.ts'), MAIN);
      const port = await freePort();
      const [path, ...args] = script();
      const DATA_DIR = join(production, 'data', String(port));
      const settings = {
        NODE_ENV: 'production',
        JWT_SECRET: SECRET,
        PORT: String(port),
        DATA_DIR,
        MIGRATE_AT_BOOT: 'true',
      };
      const command = new Command(path!, args, { ...settings, SHUTDOWN_DELAY_MS: '0' }, production);
      await command.output(/Server listening at/);
      expect((await fetch(`http://127.0.0.1:${port}/v1/notes`)).status).toBe(401);
      expect(await command.stop()).toMatchObject({ code: 0, stderr: '' });
    });

    it('a server of development names the package that its documentation lacks', async () => {
      const command = new Command(bin(production), ['start'], { PORT: '0', NODE_ENV: 'development' }, production);
      const [, origin] = /served at (http:\/\/[^/]+)/.exec(await command.output(/Ctrl-C stops it/))!;
      const reply = await fetch(origin!);
      expect([reply.status, await reply.text()]).toEqual([
        503,
        expect.stringMatching(/The package \S+ is not installed/),
      ]);
      await command.stop();
    });
  });
});

import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../src/tools/free-port.ts';
import { Command, run } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { withFolder } from '../support/folder.ts';
import { execute } from '../support/places.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { oneIn } from '../support/thorough.ts';

const root = join(import.meta.dirname, '..', '..');
/** Of a project without the types of Node or of its output, so that they are checked in a moment. */
const TSCONFIG = `{
  "compilerOptions": { "strict": true, "lib": ["es2024"], "types": [], "module": "nodenext", "skipLibCheck": true },
  "include": ["src/number.ts"]
}`;

interface Dev {
  readonly folder: string;
  readonly url: string;
  readonly command: Command;
  readonly edit: (from: string, to: string, file?: string) => Promise<void>;
  /** Waits until what is asked for is answered as it should be. */
  readonly until: (
    path: string,
    isRight: (status: number, text: string) => boolean,
    accept?: string,
  ) => Promise<string>;
}

const HANDLERS = 'export const handlers = { overrides: { cats: { list: (query, _context, next) => next(query) } } };\n';

const withDev = (
  work: (dev: Dev) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
  settings: Readonly<Record<string, string>> = {},
) =>
  withFolder({ 'handlers/index.ts': HANDLERS, 'migrations/README.md': '', ...files }, async (folder) => {
    const contracts = join(folder, 'contracts');
    await cp('test/fixtures/cats', contracts, { recursive: true });
    const port = await freePort();
    const places = [
      '--contracts',
      contracts,
      '--out',
      join(folder, 'generated'),
      '--handlers',
      join(folder, 'handlers'),
    ];
    const data = { DATA_DIR: join(folder, 'data'), MIGRATIONS_DIR: join(folder, 'migrations') };
    const environment = { PORT: String(port), ...data, LOG_LEVEL: 'warn', ...settings };
    const command = new Command('scripts/dev.ts', places, environment, root, true);
    const url = `http://127.0.0.1:${port}`;
    await command.output(/watching/);
    await work({
      folder,
      url,
      command,
      edit: async (from, to, file = 'contracts/openapi.yaml') => {
        const path = join(folder, file);
        const text = await readFile(path, 'utf8');
        if (!text.includes(from)) throw new Error(`no ${from}`);
        await writeFile(path, text.replace(from, to));
      },
      until: async (path, isRight, accept = '*/*') => {
        for (;;) {
          const response = await fetch(`${url}${path}`, { headers: { accept } }).catch(() => undefined);
          const text = await response?.text().catch(() => undefined);
          if (response && text !== undefined && isRight(response.status, text)) return text;
          await delay(20);
        }
      },
    });
    expect(await command.stop()).toMatchObject({ code: 0 });
  });

/** What `npm run dev` prints when it has served and written the last of some changes, which a busy machine combines. */
const upToDateAfter = (change: string): RegExp =>
  new RegExp(`${change}(?![\\s\\S]*${change})[\\s\\S]*Up to date; watching\\.`);

const is = (status: number) => (answered: number) => answered === status;

describe.concurrent('npm run dev', () => {
  test('serves what the contract says after each change, and writes what is generated', () =>
    withDev(async ({ edit, until, folder }) => {
      await until('/v1/cats?limit=99', is(200));
      await edit('maximum: 100', 'maximum: 50');
      await edit('assumedSize: 100', 'assumedSize: 50', 'contracts/cats.graphql');
      await until('/v1/cats?limit=99', is(400));
      await until('/v1/cats?limit=50', is(200));
      // The output follows the server.
      const isWritten = async () =>
        (await readFile(join(folder, 'generated/openapi.json'), 'utf8')).includes('"maximum": 50');
      await eventually(async () => expect(await isWritten()).toBe(true));
    }));

  test('shows the errors of a contract in the terminal and in a browser, with the lines, until they are fixed', () =>
    withDev(async ({ edit, until, command, url }) => {
      await edit('operationId: getCat', 'operationId: listCats');
      const html = await until('/graphiql', (_, text) => text.startsWith('<!doctype html>'), 'text/html');
      expect(html).toContain('<h1>The contract has errors.</h1>');
      expect(html).toContain('&gt; 77 |       operationId: listCats');
      const state = await until('/__dev', is(200));
      await edit('summary: Get a cat', 'summary: Get <b>a</b> cat');
      await until('/__dev', (status, text) => status === 200 && text !== state);
      await edit('operationId: listCats\n      summary: Get', 'operationId: getCat\n      summary: Get');
      await until('/v1/cats', is(200));
      expect((await fetch(`${url}/__dev`)).status).toBe(404);
      const { stderr } = await command.stop();
      expect(stderr).toContain('> 77 |       operationId: listCats');
      expect(stderr).toContain('The contract has errors. Waiting for a change.');
    }));

  test('serves new code, and says why it cannot start', () =>
    withDev(async ({ edit, until, command }) => {
      await edit('next(query)', "{ throw new Error('planned') }", 'handlers/index.ts');
      await until('/v1/cats', is(500));
      await command.output(/handlers\/index\.ts changed: the server starts again\./);
      await edit('overrides: { cats', 'overrides: { dogs', 'handlers/index.ts');
      // Until it has stopped, the old one says that it is stopping.
      const problem = await until('/v1/cats', (status, text) => status === 503 && !text.includes('is stopping'));
      expect(JSON.parse(problem).detail).toMatch(/^The server cannot start\.\n\n[\s\S]*dogs/);
      await edit('overrides: { dogs', 'overrides: { cats', 'handlers/index.ts');
      await edit("{ throw new Error('planned') }", 'next(query)', 'handlers/index.ts');
      await until('/v1/cats', is(200));
      await command.output(upToDateAfter('index\\.ts changed'));
    }));

  test('shows what a handler throws, with its lines, in the answers of both protocols and in the terminal', () =>
    withDev(async ({ edit, until, command, url }) => {
      await edit('next(query)', "{\n throw new Error('planned') }", 'handlers/index.ts');
      const problem = JSON.parse(await until('/v1/cats', is(500)));
      const lines = [
        /^Error: planned$/m,
        /^ {2}at .*handlers\/index\.ts:2:8$/m,
        /^ {2}> 2 \| {2}throw new Error\('planned'\)/m,
      ];
      expect(problem).toMatchObject({ code: 'INTERNAL_ERROR', title: expect.any(String) });
      for (const line of lines) expect(problem.detail).toMatch(line);
      const query = new URLSearchParams({ query: '{ cats { nodes { name } } }' });
      const reply = await fetch(`${url}/graphql?${query}`, { headers: { accept: 'application/json' } });
      const { errors } = (await reply.json()) as { errors: { message: string; extensions: { code: string } }[] };
      expect(errors[0]).toMatchObject({ message: problem.detail, extensions: { code: 'INTERNAL_ERROR' } });
      const { stderr } = await command.stop();
      for (const line of lines) expect(stderr).toMatch(line);
    }));

  test('keeps serving when codegen.ts is wrong, says so, and reads it again as soon as it changes', () =>
    withDev(async ({ edit, until, folder, command }) => {
      const codegen = join(folder, 'codegen.ts');
      await writeFile(codegen, 'export default {};');
      await edit('maximum: 100', 'maximum: 50');
      await edit('assumedSize: 100', 'assumedSize: 50', 'contracts/cats.graphql');
      await command.output(/codegen\.ts: the default export is not/);
      await until('/v1/cats?limit=99', is(400));
      await command.output(/(?:Served after[\s\S]*){2}the default export is not/);
      await writeFile(codegen, 'export default { extension: {} };');
      await command.output(/codegen\.ts changed: \S*generated is written again\.\nUp to date/);
      expect(await readFile(join(folder, 'generated/openapi.json'), 'utf8')).toContain('"maximum": 50');
    }));

  /** Adds a required property to cats, in both halves. */
  const require = async (folder: string, property: string) => {
    const change = async (file: string, ...edits: (readonly [RegExp, string])[]) => {
      const path = join(folder, 'contracts', file);
      const text = await readFile(path, 'utf8');
      await writeFile(
        path,
        edits.reduce((edited, [from, to]) => edited.replaceAll(from, to), text),
      );
    };
    await change(
      'openapi.yaml',
      [
        /^( +)name: \{ type: string, minLength: 1, maxLength: 80 \}\n/gm,
        `$&$1${property}: { type: string, maxLength: 80 }\n`,
      ],
      [/(name, colour[^\]]*)\]/g, `$1, ${property}]`],
    );
    await change('cats.graphql', [/ {2}name: (String!?)\n/g, `$&  ${property}: $1\n`]);
  };

  const create = (url: string, cat: object) =>
    fetch(`${url}/v1/cats`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Tom', colour: 'BLACK', ...cat }),
    });

  test('changes a table that no row stands against, and offers a reset where rows do', () =>
    withDev(async ({ folder, until, url, command }) => {
      await require(folder, 'motto');
      await command.output(/Changed, with every row kept: cats\.[\s\S]*Up to date/);
      expect((await create(url, { motto: 'Purr' })).status).toBe(201);
      await require(folder, 'song');
      const offer = /To reset \S+\.db, start with --reset\. All rows are lost: cats \(1\)\./;
      await until('/v1/cats', (status, text) => status === 503 && offer.test(JSON.parse(text).detail));
      const { stderr } = await command.stop();
      expect(stderr).toMatch(offer);
    }));

  const inTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=true' };

  test('resets its database by r in its terminal, once that is offered', () =>
    withDev(
      async ({ folder, until, url, command, edit }) => {
        const type = (line: string) => command.process.stdin!.write(`${line}\n`);
        type('r');
        expect((await create(url, {})).status).toBe(201);
        await require(folder, 'song');
        const offer = /To reset \S+\.db, press r and Enter, or start with --reset\. All rows are lost: cats \(1\)\./;
        await until('/v1/cats', (status, text) => status === 503 && offer.test(JSON.parse(text).detail));
        type('x');
        type('r');
        await until('/v1/cats', (status, text) => status === 200 && JSON.parse(text).data.length === 0);
        const reset = /\.db is reset: the server starts again\./g;
        await command.output(/is reset: the server starts again\.[\s\S]*Up to date/);
        type('r');
        expect((await create(url, { song: 'La' })).status).toBe(201);
        await edit('summary: Get a cat', 'summary: Get one cat');
        expect((await command.output(upToDateAfter('openapi\\.yaml changed'))).match(reset)).toHaveLength(1);
        expect(JSON.parse(await until('/v1/cats', is(200))).data).toHaveLength(1);
      },
      {},
      inTerminal,
    ));

  test.runIf(hasPostgres)('changes tables of Postgres that no row stands against, and never resets it', async () => {
    const DATABASE_URL = await makeDatabase();
    const work = async ({ folder, until, url, command }: Dev) => {
      await require(folder, 'motto');
      await command.output(/Changed, with every row kept: cats\.[\s\S]*Up to date/);
      expect((await create(url, { motto: 'Purr' })).status).toBe(201);
      await require(folder, 'song');
      const problem = await until('/v1/cats', (status, text) => status === 503 && text.includes('cannot start'));
      expect(problem).toContain('column cats.song is new and required');
      expect(problem).not.toContain('To reset');
      command.process.stdin!.write('r\n');
      await execute(
        { kind: 'postgres', url: DATABASE_URL },
        "alter table cats add column song text not null default 'La'",
      );
      await until('/v1/cats', (status, text) => status === 200 && JSON.parse(text).data[0]?.song === 'La');
    };
    await withDev(work, {}, { ...inTerminal, DATABASE_URL });
  });

  test('goes on by itself after npm run migrate, and after its database has been deleted', () =>
    withDev(async ({ folder, until, url, command }) => {
      expect((await create(url, {})).status).toBe(201);
      await require(folder, 'song');
      await until('/v1/cats', (status, text) => status === 503 && text.includes('All rows are lost'));
      const file = /To reset (\S+), /.exec(JSON.parse(await until('/v1/cats', is(503))).detail)![1]!;
      const database = new DatabaseSync(file);
      database.exec("alter table cats add column song text not null default 'La'");
      database.close();
      await until('/v1/cats', (status, text) => status === 200 && JSON.parse(text).data[0]?.song === 'La');
      await rm(join(folder, 'data'), { recursive: true });
      await until('/v1/cats', (status, text) => status === 200 && JSON.parse(text).data.length === 0);
      await command.output(/\.db is gone: the server starts again\./);
    }));

  test('makes its database anew when that is deleted while rows stand against the contract', () =>
    withDev(
      async ({ folder, until, url }) => {
        expect((await create(url, {})).status).toBe(201);
        await require(folder, 'song');
        await until('/v1/cats', (status, text) => status === 503 && text.includes('All rows are lost'));
        await rm(join(folder, 'data'), { recursive: true });
        await until('/v1/cats', (status, text) => status === 200 && JSON.parse(text).data.length === 0);
      },
      { 'migrations/0001.sql': '-- lockstep: existing rows\nupdate cats set name = name;\n' },
    ));

  test('resets its own database alone', async () => {
    const { code, stderr } = await run('scripts/dev.ts', ['--reset'], { DATABASE_URL: 'sqlite:none/mine.db' });
    expect(stderr).toContain(`--reset: ${join(root, 'none/mine.db')} is named by DATABASE_URL, and not reset.`);
    expect(code).toBe(1);
  });

  const RELEASES = oneIn(2, ['typescript-7', 'typescript']);

  const withProject = (typescript: string, work: (folder: string, command: Command) => Promise<void>) =>
    withFolder(
      {
        'package.json': '{ "type": "module" }',
        'tsconfig.json': TSCONFIG,
        'src/handlers/index.ts': 'export const handlers = {};\n',
        'src/number.ts': 'export const one: number = 1;\n',
      },
      async (folder) => {
        await cp('test/fixtures/cats', join(folder, 'contracts'), { recursive: true });
        await mkdir(join(folder, 'node_modules/@typescript'), { recursive: true });
        await symlink(join(root, 'node_modules', typescript), join(folder, 'node_modules/typescript'));
        const environment = { PORT: String(await freePort()), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' };
        const command = new Command('scripts/dev.ts', [], environment, folder);
        await command.output(/Types: no errors\./);
        await work(folder, command);
        expect(await command.stop()).toMatchObject({ code: 0 });
      },
    );

  test.each(RELEASES)('checks the types of a project beside the server, again after each change, by %s', (release) =>
    withProject(release, async (folder, command) => {
      await writeFile(join(folder, 'src/number.ts'), "export const one: number = 'one';\n");
      const output = await command.output(/Types: 1 error\./);
      expect(output).toContain('src/number.ts changed: the server starts again.');
      expect(output).toMatch(/src\/number\.ts:1:14 - error TS2322: Type 'string' is not assignable to type 'number'\./);
      expect(output).toMatch(/^1 export const one: number = 'one';\n +~+\n\nTypes: 1 error\.$/m);
      await writeFile(join(folder, 'src/number.ts'), 'export const one: number = 2;\n');
      await command.output(/Types: 1 error\.[\s\S]*Types: no errors\./);
    }),
  );

  test.each(RELEASES)('checks the types of another branch when git has switched to it, by %s', (release) =>
    withProject(release, async (folder, command) => {
      const git = (...args: string[]) => {
        const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
        return promisify(execFile)('git', [...identity, ...args], { cwd: folder });
      };
      const types = (type: string, value: string, from: string) =>
        Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            writeFile(
              join(folder, `src/user${i}.ts`),
              `import type { T } from '${from}';\nexport const t: T = ${value};\n`,
            ),
          ).concat(writeFile(join(folder, 'src', from), `export type T = ${type};\n`)),
        );
      const tsconfig = TSCONFIG.replace('src/number.ts', 'src').replace(
        '"types"',
        '"noEmit": true, "allowImportingTsExtensions": true, "types"',
      );
      await writeFile(join(folder, '.gitignore'), 'data\nnode_modules\ngenerated\n');
      await writeFile(join(folder, 'tsconfig.json'), tsconfig);
      await mkdir(join(folder, 'src/old'));
      await types('number', '1', './old/types.ts');
      await git('init', '-q', '-b', 'right');
      await git('add', '.');
      await git('commit', '-qm', 'right');
      await git('checkout', '-qb', 'wrong');
      await rm(join(folder, 'src/old'), { recursive: true });
      await mkdir(join(folder, 'src/new'));
      await types('string', '1', './new/types.ts');
      await git('add', '.');
      await git('commit', '-qm', 'wrong');
      for (const [branch, last] of [
        ['right', 'Types: no errors.'],
        ['wrong', 'Types: 20 errors.'],
        ['right', 'Types: no errors.'],
        ['wrong', 'Types: 20 errors.'],
        ['right', 'Types: no errors.'],
      ] as const) {
        let printed = '';
        command.process.stdout!.on('data', (chunk) => {
          printed += chunk;
        });
        await git('checkout', '-q', branch);
        await eventually(() => expect(printed.match(/^Types: .*$/gm)?.at(-1)).toBe(last));
      }
    }),
  );

  test('tells the server once when a terminal interrupts it and all that it has started', () =>
    withDev(async ({ command }) => {
      process.kill(-command.process.pid!, 'SIGINT');
      process.kill(-command.process.pid!, 'SIGINT');
      const { code, stdout, stderr } = await command.finished;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).not.toContain('second');
    }));

  test.each([
    [['--wat'], "unknown option '--wat'"],
    [['--contracts', 'a', 'b'], 'too many arguments. Expected 0 arguments but got 1: b.'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run('scripts/dev.ts', args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, runHere } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';
import { withInvalidContract } from '../support/invalid-contracts.ts';
import { cats, started } from './support/started.ts';

const start = (args: readonly string[], environment: Readonly<Record<string, string>>) =>
  runHere('scripts/start.ts', args, { PORT: '0', ...environment });

describe('npm start reports, without a stack and with exit code 1,', () => {
  it('every setting that is wrong, in a line each', () =>
    withFolder({}, async (folder) => {
      const { code, stderr } = await start([], { PORT: 'abc', LOG_LEVEL: 'loud', DATA_DIR: folder });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^PORT accepts .+\nLOG_LEVEL accepts .+\n$/);
    }));

  it('every fault of the contract with its place', () =>
    withInvalidContract('several-faults', async (folder) => {
      const { code, stdout, stderr } = await start(['--contracts', folder], { DATA_DIR: dirname(folder) });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.match(/^openapi\.yaml:\d+:\d+ {2}error/gm)).toHaveLength(7);
      expect(stderr).toContain('several-faults cannot be served.');
      expect(stderr).not.toContain('    at ');
    }));

  it('in one summary, what would make a resource of what almost is one', () =>
    withInvalidContract('input-range', async (folder) => {
      const { stderr } = await start(['--contracts', folder], { DATA_DIR: dirname(folder) });
      expect(stderr).toContain('`Tag` at `/tags` is almost a resource: 5 errors are in the way.');
    }));

  it.each([
    ['a contract that is not there', ['--contracts', 'nowhere'], 'nowhere does not exist.\n'],
    [
      'handlers that are not there',
      [...cats, '--handlers', 'nowhere'],
      'nowhere does not exist. Write an `index.ts` there with `export const handlers = {};`, which may be all.\n',
    ],
  ])('%s', (_, args, stderr) =>
    withFolder({}, async (folder) => {
      expect(await start(args, { DATA_DIR: folder })).toEqual({ code: 1, stdout: '', stderr });
    }),
  );

  it('an option that it does not know, with the one that is meant, and exit code 2', () =>
    withFolder({}, async (folder) => {
      expect(await start(['--contract', 'x'], { DATA_DIR: folder })).toEqual({
        code: 2,
        stdout: '',
        stderr:
          "error: unknown option '--contract'\n(Did you mean --contracts?)\nRun `npm start -- --help` for its options.\n",
      });
    }));

  it('handlers that do not fit the contract', () => {
    const handlers = 'export const handlers = { overrides: { dogs: {}, cats: { bark() {} } } };\n';
    return withFolder({ 'index.ts': handlers }, async (folder) => {
      const { code, stderr } = await start([...cats, '--handlers', folder], { DATA_DIR: folder });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Handlers do not fit.+\n.+dogs.+\n.+cats.+bark.+\n$/);
    });
  });

  it.each(['scripts/start.ts', 'src/main.ts'])('that production lacks keys (%s)', (script) =>
    withFolder({}, async (folder) => {
      const { code, stderr } = await run(script, [], { NODE_ENV: 'production', DATA_DIR: folder });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^JWT_JWKS_URL, JWT_PUBLIC_KEY, JWT_SECRET: .+\n$/);
    }),
  );

  it.each([
    ['scripts/start.ts', cats],
    ['src/main.ts', []],
  ])('that the port is taken (%s)', (script, args) =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, cats);
      const { code, stderr } = await run(script, args, { PORT: new URL(base).port, DATA_DIR: folder });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Another process already listens on .+\n$/);
      await command.stop();
    }),
  );

  it('that it cannot listen on the configured address', () =>
    withFolder({}, async (folder) => {
      const { code, stderr } = await start(cats, { HOST: '192.0.2.1', DATA_DIR: folder });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^HOST: .*192\.0\.2\.1.*\n$/) });
    }));

  it.each([
    ['a data folder that is a file', { DATA_DIR: 'plain' }, /^DATABASE_URL, DATA_DIR: .+plain.+\n$/],
    ['a database that is none', { DATABASE_URL: 'sqlite:plain' }, /^DATABASE_URL, DATA_DIR: .+not a database.+\n$/],
    ['a folder for keys that is a file', { DATABASE_URL: 'sqlite:new.db', DATA_DIR: 'plain' }, /^DATA_DIR: .+\n$/],
  ])('%s', (_, names, expected) =>
    withFolder({ plain: 'This is text, and neither a folder nor a database.' }, async (folder) => {
      const paths = Object.entries(names).map(([name, path]) => [name, path.replace(/(\w+(\.db)?)$/, `${folder}/$1`)]);
      const { code, stderr } = await start(cats, { DATA_DIR: folder, ...Object.fromEntries(paths) });
      expect(code).toBe(1);
      expect(stderr).toMatch(expected);
    }),
  );

  it.each(['require', 'verify-full'])('that Postgres offers no TLS, with sslmode=%s', (mode) =>
    withFolder({}, async (folder) => {
      // The answer to an SSLRequest that means no (PostgreSQL, 54.2.11).
      const server = createServer((socket) => socket.once('data', () => socket.end('N'))).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const url = `postgres://me:secret@127.0.0.1:${port}/shop?sslmode=${mode}`;
      const { code, stderr } = await run('src/main.ts', [], { DATABASE_URL: url, DATA_DIR: folder });
      server.close();
      const place = `Postgres at 127.0.0.1:${port}/shop`;
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `DATABASE_URL: ${place} does not offer TLS, which sslmode asks for.\n`,
      });
    }),
  );

  it('what of the database the contract does not have', () =>
    withFolder({}, async (folder) => {
      const environment = { DATABASE_URL: `sqlite:${folder}/one.db`, DATA_DIR: folder };
      await (await started(folder, cats, environment)).command.stop();
      const { DatabaseSync } = await import('node:sqlite');
      const database = new DatabaseSync(`${folder}/one.db`);
      database.exec('alter table cats rename column colour to whiskers');
      database.close();
      const { code, stderr } = await start(cats, environment);
      expect(code).toBe(1);
      expect(stderr).toContain('column cats.whiskers is not in the contract');
      expect(stderr).not.toContain('    at ');
    }));
});

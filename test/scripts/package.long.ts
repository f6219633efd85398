import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/tools/free-port.ts';
import { Command, endWithTests } from '../support/command.ts';
import { installPackage, type Ran, runIn, userEnvironment } from '../support/package.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { oneIn } from '../support/thorough.ts';
import { paste } from './support/paste.ts';
import { type Printed, printed } from './support/started.ts';

const root = join(import.meta.dirname, '..', '..');

interface ServedContract {
  /** In `test/fixtures/`. */
  readonly path: string;
  readonly isOnPostgres?: true;
  /** What only this one shows. */
  readonly ask?: (served: Printed) => Promise<void>;
}

const CONTRACTS: readonly ServedContract[] = [
  { path: 'cats' },
  { path: 'valid/shelter' },
  { path: 'festival', isOnPostgres: true },
  {
    path: 'orchard',
    // A search with a language, which finds other forms of its words.
    async ask({ base, tokens }) {
      const headers = { authorization: `Bearer ${tokens['CALLER']}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ full_name: 'Growing Apples' });
      expect((await fetch(`${base}/growers`, { method: 'POST', headers, body })).status).toBe(201);
      const found = await (await fetch(`${base}/growers?search=apple+grows`)).json();
      expect(found).toMatchObject({ data: [{ full_name: 'Growing Apples' }] });
      const query = '{ growers(search: "apple grows") { nodes { fullName } } }';
      const reply = await fetch(new URL('/graphql', base), {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      expect(await reply.json()).toEqual({ data: { growers: { nodes: [{ fullName: 'Growing Apples' }] } } });
    },
  },
];

/** Whatever the contract is: its first list is there, empty, or for callers with a token. */
const TEST_OF_ANSWERS = `import { serve } from 'lockstep/testing';
import { expect, test } from 'vitest';
import { handlers } from '../src/handlers/index.ts';

test('the first list answers', async () => {
  await using service = await serve({ generated: 'generated', handlers });
  const [path] = Object.keys(service.contract.document.paths);
  expect([200, 401]).toContain((await service.anonymous.get(path!)).status);
}, 30_000);
`;

/** A team that uses Lockstep as a dependency, from the tarball that is published. */
describe('the package', () => {
  let folder = '';
  const bin = (name: string): string => join(folder, 'node_modules', '.bin', name);
  // As `npx` finds them, without the second that npm itself takes.
  const lockstep = (...args: string[]): Promise<Ran> => runIn(folder, [bin('lockstep'), ...args]);
  const types = (...args: string[]): Promise<Ran> => runIn(folder, [bin('tsc'), ...args]);
  /** Those of the package, too: its declarations are complete. */
  const allTypes = (...args: string[]): Promise<Ran> => types('--skipLibCheck', 'false', ...args);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-project-'));
    await installPackage(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('starts a project in an empty folder, which compiles, passes its gate and has types that hold', async () => {
    const started = await lockstep('init', '--name', 'notebook');
    expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining('Started notebook') });
    expect((await lockstep('generate', '--check')).stdout).toContain('generated/ is up to date with contracts/.');
    const checked = await lockstep('contract');
    expect(checked.stdout).toMatch(/✓ lint[\s\S]*✓ contract[\s\S]*✓ drift[\s\S]*– changes +not run/);
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'notebook',
      scripts: { dev: 'lockstep dev' },
      dependencies: { lockstep: expect.stringContaining('file:') },
    });
    const installed = await runIn(folder, ['npm', 'install']);
    expect(installed.code, installed.stderr).toBe(0);
    for (const resolution of [[], ['--module', 'esnext', '--moduleResolution', 'bundler']])
      expect(await allTypes(...resolution)).toMatchObject({ code: 0, stdout: '' });
    expect((await lockstep('generate', '--check')).code).toBe(0);
    expect(await runIn(folder, [bin('graphql-codegen')])).toMatchObject({ code: 0 });
    // By itself, it writes the same bytes.
    expect((await lockstep('generate', '--check')).stdout).toContain('is up to date');
    const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(manifest.devDependencies.vitest).toBe(devDependencies.vitest);
    expect(`npm:typescript@${manifest.devDependencies.typescript}`).toBe(devDependencies['typescript-7']);
    expect((await types('--version')).stdout).toBe(`Version ${manifest.devDependencies.typescript}\n`);
    const tested = await runIn(folder, ['npm', 'test']);
    expect(tested.code, tested.stdout).toBe(0);
    expect(stripVTControlCharacters(tested.stdout)).toMatch(/Tests +2 passed/);
  });

  it('says why a package may be missing, leaves nothing half-done, and goes on once it is there', async () => {
    const [codegen, away] = ['cli', 'away'].map((name) => join(folder, 'node_modules/@graphql-codegen', name));
    await rename(codegen!, away!);
    const failed = await lockstep('init', 'second');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(/^The package @graphql-codegen\/cli is not installed; .+ on a Node older than 24/);
    await rename(away!, codegen!);
    expect(await readdir(join(folder, 'second')).catch(() => [])).toEqual([]);
    expect(await lockstep('init', 'second')).toMatchObject({ code: 0, stderr: '' });
    expect(await lockstep('init', 'second')).toMatchObject({ code: 0, stderr: '' });
    await rm(join(folder, 'second'), { recursive: true });
  });

  describe.each(oneIn(2, CONTRACTS))('with $path as its contract, in a project', ({ path, ask, isOnPostgres }) => {
    const project = (): string => join(folder, 'projects', path.replaceAll('/', '-'));
    const script = (name: string, ...args: string[]): Promise<Ran> =>
      runIn(project(), ['npm', 'run', '--silent', name, '--', ...args]);

    it('generates, passes its gate and its tests, and serves', async ({ skip }) => {
      skip(isOnPostgres === true && !hasPostgres, 'no Postgres answers');
      expect(await lockstep('init', project())).toMatchObject({ code: 0, stderr: '' });
      await rm(join(project(), 'contracts'), { recursive: true });
      await rm(join(project(), 'test/notes.test.ts'));
      await cp(join(root, 'test/fixtures', path), join(project(), 'contracts'), { recursive: true });
      await writeFile(join(project(), 'test/answers.test.ts'), TEST_OF_ANSWERS);
      const generated = await script('generate');
      expect(generated.code, generated.stderr).toBe(0);
      const checked = await script('check');
      expect(checked.code, checked.stdout + checked.stderr).toBe(0);
      const tested = await script('test');
      expect(tested.code, tested.stdout + tested.stderr).toBe(0);
      const url = isOnPostgres ? await makeDatabase() : undefined;
      await serving(url === undefined ? url : { DATABASE_URL: url }, async (served) => {
        expect(served.curls.length).toBeGreaterThan(0);
        for (const call of [...served.curls, ...served.graphql])
          expect(await paste(call), call).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
        await ask?.(served);
      });
    });

    /** As `npm start` runs it, which is no process to send a signal to. */
    async function serving(environment: object | undefined, work: (served: Printed) => Promise<void>): Promise<void> {
      const settings = { PORT: '0', LOG_LEVEL: 'error', NODE_ENV: 'development', ...environment };
      const command = new Command(
        join(folder, 'node_modules/lockstep/bin/lockstep.js'),
        ['start'],
        settings,
        project(),
      );
      await work(printed(await command.output(/Ctrl-C stops it/)));
      expect(await command.stop()).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('lets the public API be imported, and nothing else', async () => {
    const importing = (name: string): Promise<Ran> =>
      runIn(folder, [process.execPath, '--eval', `import('${name}').then((all) => console.log(Object.keys(all)))`]);
    expect((await importing('lockstep')).stdout).toBe("[ 'ApiError', 'jobsOf', 'start' ]\n");
    expect((await importing('lockstep/testing')).stdout).toContain("'serve'");
    const deep = ['lockstep/lib/src/index.js', 'lockstep/runtime/errors/api-error.ts', 'lockstep/src/index.ts'];
    for (const name of deep) expect((await importing(name)).stderr, name).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
    const file = join(folder, 'src', 'deep.ts');
    await writeFile(file, `export { ApiError } from '${deep[0]}';\n`);
    expect((await types()).stdout).toContain(`Cannot find module '${deep[0]}'`);
    await rm(file);
  });

  it.each([
    ['in a folder below', 'deeply/nested/generated', /from 'lockstep'/],
    [
      'outside',
      '../outside-PID/generated',
      /from '\.\.\/\.\.\/lockstep-project-\w+\/node_modules\/lockstep\/lib\/src\/index\.js'/,
    ],
  ])('writes output %s that has types and runs', async (_, path, library) => {
    const out = join(folder, path.replace('PID', String(process.pid)));
    expect((await lockstep('generate', '--out', out)).code).toBe(0);
    const errors = join(out, 'errors.ts');
    expect(await readFile(errors, 'utf8')).toMatch(library);
    const sources = ['handlers.ts', 'errors.ts', 'graphql.ts', 'resources.ts'].map((name) => join(out, name));
    const options =
      '--noEmit --strict --skipLibCheck --module nodenext --target es2024 --types node --allowImportingTsExtensions --ignoreConfig';
    expect(await types(...options.split(' '), ...sources)).toMatchObject({ code: 0, stdout: '' });
    const script = `const { ApiError } = await import(${JSON.stringify(pathToFileURL(errors))}); console.log(new ApiError('NOT_FOUND').code)`;
    const ran = await runIn(tmpdir(), [process.execPath, '--input-type=module', '--eval', script]);
    expect(ran).toMatchObject({ code: 0, stdout: 'NOT_FOUND\n' });
    await rm(join(out, '..'), { recursive: true });
  });

  it('adds a resource, and types an override of it', async () => {
    const added = await lockstep('new', 'resource', 'authors', 'name:string!', 'born:date');
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('contracts/graphql/authors.graphql') });
    const handlers = join(folder, 'src', 'handlers', 'index.ts');
    const override = (name: string) => `import { ApiError } from '../../generated/errors.ts';
import type { Handlers } from '../../generated/handlers.ts';

export const handlers = {
  overrides: {
    authors: {
      async create(input, _context, next) {
        if (input.${name} === 'Nobody') throw new ApiError('CONFLICT');
        return next(input);
      },
    },
  },
} satisfies Handlers;
`;
    await writeFile(handlers, override('title'));
    expect((await types()).stdout).toContain("Property 'title' does not exist");
    await writeFile(handlers, override('name'));
    expect(await types()).toMatchObject({ code: 0, stdout: '' });
  });

  it('tests the override with lockstep/testing', async () => {
    const text = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from 'lockstep/testing';
import { handlers } from '../src/handlers/index.ts';

for (const source of [{ contracts: 'contracts' }, { generated: 'generated' }])
  test(\`nobody is nobody, served from \${Object.keys(source)}\`, async () => {
    await using service = await serve({ ...source, handlers });
    const me = service.as({ sub: 'me', scope: 'authors:read authors:write' });
    assert.equal((await me.post('/authors', { name: 'Ada' })).status, 201);
    assert.equal((await me.post<{ code: string }>('/authors', { name: 'Nobody' })).body.code, 'CONFLICT');
  });
`;
    await writeFile(join(folder, 'test', 'authors.test.ts'), text);
    expect(await types()).toMatchObject({ code: 0, stdout: '' });
    const ran = await runIn(folder, [process.execPath, '--test', 'test/authors.test.ts']);
    expect(ran, ran.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining('pass 2') });
  });

  it('serves it, with documentation, and takes its own tokens', async () => {
    const port = await freePort();
    const { stdout: token } = await lockstep('token', '--sub', 'me', '--scope', 'authors:read authors:write');
    const serve = spawn(process.execPath, [bin('lockstep'), 'start'], {
      cwd: folder,
      env: { ...userEnvironment, PORT: String(port) },
    });
    endWithTests(serve);
    const ended = new Promise((resolve) => serve.once('close', resolve));
    const base = `http://127.0.0.1:${port}`;
    while (
      !(await fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await delay(20);
    const headers = { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' };
    const post = (name: string) =>
      fetch(`${base}/v1/authors`, { method: 'POST', headers, body: JSON.stringify({ name }) });
    expect((await post('Ada')).status).toBe(201);
    expect(((await (await post('Nobody')).json()) as { code: string }).code).toBe('CONFLICT');
    const body = JSON.stringify({ query: '{ authors { nodes { name } } }' });
    expect(await (await fetch(`${base}/graphql`, { method: 'POST', headers, body })).json()).toEqual({
      data: { authors: { nodes: [{ name: 'Ada' }] } },
    });
    expect(await (await fetch(base)).text()).toContain('Start here');
    serve.kill('SIGTERM');
    await ended;
  });

  it('writes documentation, looks a database over, and compares the protocols', async () => {
    expect((await lockstep('docs', '--out', 'site')).stdout).toContain('open site/index.html');
    expect((await lockstep('migrate', '--check')).stdout).toContain('up to date');
    expect((await lockstep('parity')).code).toBe(0);
    expect((await lockstep('release', '--dry-run')).code).toBe(0);
  });

  it('says what it can do, and what it cannot', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect((await runIn(folder, ['npx', 'lockstep', '--version'])).stdout).toBe(`${version}\n`);
    expect((await lockstep('--help')).stdout).toMatch(/init[\s\S]*start[\s\S]*token/);
    expect(await lockstep('fly')).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'fly'") });
    expect((await lockstep('tokn')).stderr).toContain('(Did you mean token?)');
    expect((await lockstep('docs', '--help')).stdout).toContain('lockstep docs --url https://api.example.com');
    expect((await lockstep('completion', 'bash')).stdout).toContain('complete -F _lockstep lockstep');
    expect(await lockstep('new', 'resource', 'authors', 'name:string!')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/authors already exists'),
    });
  });
});

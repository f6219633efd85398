import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/tools/free-port.ts';
import { Command } from '../support/command.ts';

/** As a team calls it that has nothing but a running server and its contract. */
describe('npm run verify', () => {
  let data = '';
  let url = '';
  let server: Command;
  const verify = (...args: string[]) => new Command('scripts/verify.ts', args, { DATA_DIR: data }).finished;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'lockstep-verify-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    server = new Command('scripts/start.ts', [], { PORT: String(port), DATA_DIR: data });
    await server.output(/is served at/);
  });
  afterAll(async () => {
    await server.stop('SIGTERM');
    await rm(data, { recursive: true });
  });

  it('reports that a server conforms to its contract', async () => {
    const { code, stdout } = await verify('--url', url, '--runs', '30', '--seed', '4');
    expect(stdout).toMatch(
      /(?:^|\n)[\d,]+ requests in 30 sequences \(seed 4\): no deviations from the contract; \d+ of \d+ operations succeeded\.\n$/,
    );
    expect(code).toBe(0);
  });

  it('finds that a server does not serve another contract, and names requests and callers', async () => {
    const { code, stdout } = await verify(
      '--url',
      url,
      '--contracts',
      'test/fixtures/library',
      '--runs',
      '20',
      '--seed',
      '4',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ \w+: \w+\n {2}\S[\s\S]*\n {2}curl -X [A-Z]+ 'http:/);
    expect(stdout).toMatch(/export OWNER=eyJ[\w.-]+/);
    expect(stdout).toMatch(/\d+ deviations; \d+ of \d+ operations succeeded\.\n$/);
  });

  it.each([
    [['--url', 'http://127.0.0.1:9'], 'No server answers at http://127.0.0.1:9.', 1],
    [['--url', 'somewhere'], "'somewhere' is invalid. It must be an `http:` or `https:` URL", 2],
    [[], "required option '--url <url>' not specified", 2],
    [['--url', 'http://127.0.0.1:9', '--runs', 'many'], "'many' is invalid. It must be a whole number", 2],
  ])('%j is explained', async (args, message, exitCode) => {
    const { code, stderr } = await verify(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(exitCode);
  });
});

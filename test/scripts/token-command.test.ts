import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentKeys } from '../../src/runtime/auth/development-key.ts';
import { secretKeys } from '../../src/runtime/auth/keys.ts';
import { authenticatorOf, SECRET } from '../runtime/auth/tokens.ts';

const root = join(import.meta.dirname, '..', '..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-token-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(flags: readonly string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/token.ts', ...flags], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'development', DATA_DIR: folder, ...environment },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('npm run token', () => {
  it('prints a token that a server on the same data folder accepts, and nothing else', async () => {
    const { status, stdout, stderr } = run(['--sub', 'ada', '--scope', 'a b', '--expires', '2m']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const authenticate = await authenticatorOf(developmentKeys(folder));
    const principal = await authenticate(`Bearer ${stdout.trim()}`);
    expect(principal).toMatchObject({ subject: 'ada', scopes: new Set(['a', 'b']) });
    expect(principal!.expiresAtMs).toBeLessThanOrEqual(Date.now() + 120_000);
  });

  it('signs for the issuer, audience and secret that are set, a new caller without flags', async () => {
    const { stdout } = run([], { JWT_SECRET: SECRET, JWT_ISSUER: 'i', JWT_AUDIENCE: 'a' });
    const authenticate = await authenticatorOf(secretKeys(SECRET), { issuers: ['i'], audience: 'a' });
    expect((await authenticate(`Bearer ${stdout.trim()}`))?.subject).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['an unknown flag', ['--subject', 'ada'], {}, "unknown option '--subject'", 2],
    ['a flag without value', ['--sub'], {}, "option '--sub <id>' argument missing", 2],
    ['a blank sub', ['--sub', ''], {}, 'It must have 1 to 255 characters.', 2],
    ['a bad scope', ['--scope', 'a"b'], {}, 'It must be scopes separated by spaces', 2],
    ['a bad time', ['--expires', 'soon'], {}, 'It must be a number of seconds, minutes, hours or days', 2],
    ['a wrong setting', [], { PORT: 'x' }, 'PORT accepts', 1],
    ['no secret of its own', [], { JWT_JWKS_URL: 'https://issuer.example/keys' }, 'only JWT_SECRET can sign', 1],
    ['production without a key', [], { NODE_ENV: 'production' }, 'must be set in production', 1],
  ])('refuses %s on stderr', (_, flags, environment, message, exitCode) => {
    const { status, stdout, stderr } = run(flags, environment as Record<string, string>);
    expect({ status, stdout }).toEqual({ status: exitCode, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});

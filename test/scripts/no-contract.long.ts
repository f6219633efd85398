import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Command, type Finished } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';

/** Runs a command in a folder of its own that has these files. */
const runIn = (files: Readonly<Record<string, string>>, name: string, ...args: string[]): Promise<Finished> =>
  withFolder(files, (folder) => {
    const environment = { PORT: '0', DATA_DIR: join(folder, 'data') };
    return new Command(`scripts/${name}.ts`, args, environment, folder).finished;
  });

const STACK = /^\s+at .*:\d+:\d+\)?$/m;
const SQLITE = ['--from', 'sqlite:a.db', '--to', 'sqlite:b.db'];
const URL = ['--url', 'http://127.0.0.1:9'];
const RESOURCE = ['resource', 'cats', 'name:string!'];

describe.concurrent('outside a project', () => {
  it.each([
    ['contract', []],
    ['copy', SQLITE],
    ['dev', []],
    ['docs', []],
    ['generate', []],
    ['migrate', []],
    ['mock', []],
    ['new', RESOURCE],
    ['parity', []],
    ['proof', []],
    ['release', []],
    ['start', []],
    ['verify', URL],
  ])('`%s` says that there is no contract, and what to do', async (name, args) => {
    const { code, stdout, stderr } = await runIn({}, name, ...args);
    const output = stdout + stderr;
    expect(output).not.toMatch(STACK);
    expect(output).toMatch(
      /The contract was not found\.|(?:`contracts\/openapi\.yaml`|generated\/openapi\.json) does not exist\./,
    );
    expect(output).toContain('name the folder of the contract with --contracts');
    expect(code).toBe(1);
  });
});

describe.concurrent('with YAML that cannot be parsed', () => {
  const files = { 'contracts/openapi.yaml': 'openapi: 3.1.0\ninfo: { title: [\n  a: b\n' };

  it.each([
    ['contract', []],
    ['contract', ['--only', 'lint']],
    ['generate', []],
    ['mock', ['--contracts', 'contracts']],
    ['new', RESOURCE],
    ['release', []],
  ])('`%s` points to the line', async (name, args) => {
    const { code, stdout, stderr } = await runIn(files, name, ...args);
    expect(stdout + stderr).not.toMatch(STACK);
    expect(stdout + stderr).toContain('openapi.yaml:4:1  error  syntax');
    expect(code).toBe(1);
  });

  it('`start` asks for what was not generated yet', async () => {
    expect((await runIn(files, 'start')).stderr).toBe(
      'generated/openapi.json does not exist. Run `npm run generate`.\n',
    );
  });
});

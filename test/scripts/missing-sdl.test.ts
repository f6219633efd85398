import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';

const FAULT = 'which graphql/order-items.graphql and 4 other files extend: a file of the contract is missing.';

it.each([
  ['generate', '--out', 'generated'],
  ['contract', '--out', 'generated'],
  ['parity'],
  ['sync', '--out', 'generated'],
  ['new', 'resource', 'wards', 'name:string!', '--out', 'generated'],
  ['explain', 'users.list'],
])('without the file that defines the root types, %s says so, and nothing else', (script, ...args) =>
  withFolder({}, async (folder) => {
    const contracts = join(folder, 'contracts');
    await cp('contracts', contracts, { recursive: true });
    await rm(join(contracts, 'graphql/schema.graphql'));
    const before = await readdir(contracts, { recursive: true });
    const places = args.map((arg) => (arg === 'generated' ? join(folder, arg) : arg));
    const { code, stdout, stderr } = await runHere(`scripts/${script}.ts`, [...places, '--contracts', contracts]);
    const output = stdout + stderr;
    expect(output).toContain(FAULT);
    expect(output.match(/ {2}error {2}[\w-]+/g)).toEqual(['  error  sdl-root']);
    expect(output).not.toContain('Nothing to derive');
    expect(code).toBe(1);
    expect(await readdir(contracts, { recursive: true })).toEqual(before);
  }),
);

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

const HEAD = 'openapi: 3.1.0\ninfo: { title: Signals, version: 1.0.0 }\nservers: [{ url: /v1 }]\n';
const SEND = `  /signals:
    post:
      operationId: sendSignal
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } }
      responses: { '204': { description: Sent. } }
`;

it.each([
  ['a document that only sends', `${HEAD}paths:\n${SEND}`, 'which field `Query` has'],
  ['a document without operations', `${HEAD}paths: {}\n`, 'Nothing to derive'],
])('%s gets no SDL, and goes on to pass', (_what, text, message) =>
  withFolder({ 'contracts/openapi.yaml': text }, async (folder) => {
    const contracts = join(folder, 'contracts');
    const args = ['--from', 'openapi', '--contracts', contracts, '--out', join(folder, 'generated')];
    const { code, stdout, stderr } = await runHere('scripts/sync.ts', args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(message);
    expect(await readdir(contracts)).toEqual(['openapi.yaml']);
    const { findings } = await modelContract(contracts);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  }),
);

import { describe, expect, it } from 'vitest';
import { freePort } from '../../src/tools/free-port.ts';
import { Command, run } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';
import { started } from './support/started.ts';

interface Document {
  readonly name: string;
  readonly path: string;
  /** A request that the contract refuses. */
  readonly invalid: string;
}

const DOCUMENTS: readonly Document[] = [
  { name: 'typespec', path: '/ops?status=running', invalid: '/ops?status=done' },
  { name: 'fastapi', path: '/items/?limit=5&tags=a', invalid: '/items/?limit=all' },
];

const WIDGET = "content: { application/json: { schema: { $ref: '#/components/schemas/Widget' } } }";

/** Its list has another shape than that of a resource. */
const ALMOST = `openapi: 3.0.0
info: { title: Widgets, version: 0.0.0 }
paths:
  /widgets:
    get: { operationId: list, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Widget' } } } } } } }
  /widgets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: read, responses: { '200': { description: ok, ${WIDGET} } } }
components:
  schemas:
    Widget:
      type: object
      required: [id, version, createdAt, updatedAt]
      properties: { id: { type: string }, version: { type: integer }, createdAt: { type: string }, updatedAt: { type: string } }
`;

describe('a document that almost has a resource', () => {
  it('starts, and says in the summary of generate what would make it one', () =>
    withFolder({ 'openapi.yaml': ALMOST }, async (folder) => {
      const contracts = ['--contracts', folder];
      const generated = await run('scripts/generate.ts', [...contracts, '--out', `${folder}/generated`]);
      const [summary] = /^.*resource-fit\n(?: .*\n)+/m.exec(generated.stderr)!;
      const { command } = await started(`${folder}/data`, contracts);
      const { stderr } = await command.stop();
      expect(stderr).toContain(summary);
    }));
});

describe.each(DOCUMENTS)('a document in the style of $name', ({ name, path, invalid }) => {
  const contracts = ['--contracts', `test/fixtures/foreign/${name}`];

  it('is served by the mock', async () => {
    const port = String(await freePort());
    const mock = new Command('scripts/mock.ts', contracts, { PORT: port, LOG_LEVEL: 'error' });
    const output = await mock.output(/Ctrl-C/);
    const token = /^ {2}[A-Z]+=(\S+)$/m.exec(output)?.[1];
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const ask = async (target: string) => fetch(`http://127.0.0.1:${port}${target}`, { headers });
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toBeInstanceOf(Array);
    expect((await ask(invalid)).status).toBe(400);
    await mock.stop();
  });

  it('starts, and its operations wait for their handlers', () =>
    withFolder({}, async (folder) => {
      const { command, base, tokens } = await started(folder, contracts);
      const [token] = Object.values(tokens);
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      expect((await fetch(base + path, { headers })).status).toBe(501);
      expect((await fetch(base + invalid, { headers })).status).toBe(400);
      await command.stop();
    }));

  it('passes its checks once it is generated', () =>
    withFolder({}, async (folder) => {
      const out = ['--out', `${folder}/generated`];
      expect((await run('scripts/generate.ts', [...contracts, ...out])).code).toBe(0);
      const { code, stdout } = await run('scripts/contract.ts', [...contracts, ...out]);
      expect(stdout).not.toMatch(/ {2}error {2}/);
      for (const piece of ['lint', 'contract', 'drift']) expect(stdout).toMatch(new RegExp(`^✓ ${piece}`, 'm'));
      expect(code).toBe(0);
    }));
});

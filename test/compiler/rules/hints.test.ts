import { expect, test } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { suggestion } from '../../../src/compiler/findings/wording.ts';
import { serve } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';

const get = (operationId: string, schema: object = { type: 'string' }) => ({
  get: {
    operationId,
    parameters: [{ name: 'job', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  },
});
const compiled = (paths: object) => {
  const document = { openapi: '3.1.0', info: { title: 'Jobs', version: '1' }, paths };
  return withFolder({ 'openapi.yaml': JSON.stringify(document) }, (folder) => compileContract(folder));
};

test('paths that differ by their last slash are both served, and the warning says by what they differ', async () => {
  const { model, findings } = await compiled({ '/jobs/{job}/': get('slashed'), '/jobs/{job}': get('plain') });
  expect(findings).toMatchObject([
    { rule: 'path-duplicate', severity: 'warning', message: expect.stringContaining('by its last `/` alone') },
  ]);
  const operations = { slashed: () => 'slashed', plain: () => 'plain' };
  await using service = await serve({ contract: model!, handlers: { operations } as never });
  expect((await service.anonymous.get('/jobs/1/')).body).toBe('slashed');
  expect((await service.anonymous.get('/jobs/1')).body).toBe('plain');
});

test('a path with a query is neither served nor in the output, and the hint names the path to write', async () => {
  const { model, files, findings } = await compiled({
    '/jobs/{job}?beta=true': get('tryJob'),
    '/jobs/{job}': get('getJob'),
  });
  expect(findings).toMatchObject([{ severity: 'warning', hint: expect.stringContaining('`/jobs/{job}`') }]);
  expect([...files!].filter(([, text]) => /tryJob|beta=true/.test(text)).map(([path]) => path)).toEqual([]);
  for (const path of ['sdk/index.js', 'clients/openapi.json', 'handlers.ts'])
    expect(files!.get(path)).toContain('getJob');
  await using service = await serve({ contract: model!, handlers: { operations: { getJob: () => 'got' } } as never });
  expect((await service.anonymous.get('/jobs/1?beta=true')).status).not.toBe(500);
});

test('a pattern that JavaScript cannot read has a hint to write it for JavaScript, and one that backtracks to anchor it', async () => {
  const patterns = { a: { type: 'string', pattern: '(?(1)a|b)' }, b: { type: 'string', pattern: '(a+)+$' } };
  const { findings } = await compiled({ '/jobs/{job}': get('getJob', { type: 'object', properties: patterns }) });
  const hints = findings.filter(({ rule }) => rule === 'pattern-safe').map(({ hint }) => hint);
  expect(hints).toEqual([expect.stringMatching(/^Write it as JavaScript/), expect.stringMatching(/^Anchor it/)]);
});

test.each([
  ['colour', ['color', 'size'], 'Did you mean `color`?'],
  ['x', ['color', 'size'], 'Write `color` or `size`.'],
  ['x', Array.from({ length: 72 }, (_, i) => `name${i}`), 'or another of the 72 declared names.'],
  ['x', [], 'Remove it, or declare `x` first.'],
])('an unknown name %s is answered by what to write instead', (name, known, text) => {
  expect(suggestion(name, known)).toContain(text);
});

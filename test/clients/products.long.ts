import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeText } from '../../src/clients/common/layer.ts';
import { type Compiled, compileContract } from '../../src/compiler/compile-contract.ts';
import { sampleRequests } from '../../src/compiler/emit/sample-requests.ts';
import { mockHandlers } from '../../src/tools/mock/mock-handlers.ts';
import { serve, type TestService } from '../../src/tools/testing/serve.ts';
import { oneIn } from '../support/thorough.ts';
import { libraryFrom, typeErrorsIn } from '../support/type-check.ts';

const root = join(import.meta.dirname, '..', '..');
const PRODUCTS = [
  'payments',
  'hosting',
  'chat',
  'calendar',
  'maps',
  'shipping',
  'files',
  'springdoc',
  'fastapi',
  'dotnet',
  'gateway',
  'linked',
  'reports',
  'words',
];

describe.each(oneIn(7, PRODUCTS))('a document in the shape of %s', (name) => {
  let compiled: Compiled;
  let service: TestService;
  let output: string;

  beforeAll(async () => {
    compiled = await compileContract(join('test/clients/products', name), libraryFrom(0));
    const contract = compiled.model!;
    service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
    output = await mkdtemp(join(root, 'test', '.types-'));
    for (const [path, text] of compiled.files!) await writeText(join(output, path), text);
  });
  afterAll(async () => {
    await service.close();
    await rm(output, { recursive: true });
  });

  test('compiles, and its output has types', async () => {
    expect(compiled.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const paths = [...compiled.files!.keys()].filter((path) => path.endsWith('.ts'));
    const errors = await typeErrorsIn(output, paths, { skipLibCheck: false });
    expect([...errors].filter(([, lines]) => lines.length > 0)).toEqual([]);
  });

  test('is answered by the mock as it declares', async () => {
    for (const { method, path, inPath, inQuery, body } of sampleRequests(compiled.model!)) {
      const filled = inPath.reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(one.value)), path);
      const query = inQuery
        .filter(({ isRequired }) => isRequired)
        .map((one) => `${one.name}=${encodeURIComponent(one.value)}`)
        .join('&');
      const sent = body && { body: body.text, headers: { 'content-type': body.type } };
      const answer = await service.anonymous.request(method, `${filled}?${query}`, sent);
      expect([answer.status < 400, answer.headers['mock-fault']], `${method} ${filled} ${answer.text}`).toEqual([
        true,
        undefined,
      ]);
    }
  });
});

import { describe, expect, test } from 'vitest';
import type { OpenApiDocument, Operation } from '../../../src/descriptor/document.ts';
import { openZoo, operations } from './support/zoo.ts';
import { zooDocument } from './support/zoo-document.ts';

/** The zoo contract with a change to one of its operations. */
function withBroken(change: object): OpenApiDocument {
  const get = { ...(zooDocument.paths['/broken']!.get as Operation), ...change };
  return { ...zooDocument, paths: { ...zooDocument.paths, '/broken': { get } } };
}

describe('the boot fails', () => {
  test('without a handler for every custom operation, and names those without one', async () => {
    const { echo: _, broken: __, ...rest } = operations;
    await expect(openZoo({ operations: rest })).rejects.toThrow('No handler for echo, broken');
  });

  test('with code that does not belong to an operation', async () => {
    const extra = { ...operations, feedCat: operations['echo']! };
    await expect(openZoo({ operations: extra })).rejects.toThrow('does not have (handlers.routes): feedCat');
  });

  test('without a handler for a security scheme that is not a bearer token', async () => {
    await expect(openZoo({ security: {} })).rejects.toThrow('listKeys needs a handler for the security scheme apiKey');
  });

  test('with a security scheme that is not declared', async () => {
    const document = withBroken({ security: [{ nothing: [] }] });
    await expect(openZoo({ document })).rejects.toThrow('the security scheme nothing, which is not declared');
  });

  test('without a handler for an operation that has its name from its path', async () => {
    const document = withBroken({ operationId: undefined });
    await expect(openZoo({ document })).rejects.toThrow('No handler for getBroken');
  });

  test('with a parameter style that is not supported', async () => {
    const parameters = [{ name: 'm', in: 'query', style: 'matrix', schema: { type: 'string' } }];
    await expect(openZoo({ document: withBroken({ parameters }) })).rejects.toThrow('style matrix is not served');
  });
});

describe('the boot passes', () => {
  test('without handlers when missing ones are allowed', async () => {
    const { app } = await openZoo({ operations: {}, allowMissing: true });
    await app.close();
  });

  test('with HEAD, OPTIONS and TRACE declared by the contract', async () => {
    const responses = { 200: { description: 'Done' } };
    const declared = { security: [], responses };
    const document: OpenApiDocument = {
      ...zooDocument,
      paths: {
        ...zooDocument.paths,
        '/all': {
          get: { ...declared, operationId: 'g' },
          head: { ...declared, operationId: 'h' },
          options: { ...declared, operationId: 'o' },
          trace: { ...declared, operationId: 't' },
        },
      },
    };
    const answering = (name: string) => () => ({ status: 200, headers: { 'x-by': name } });
    const handlers = { g: answering('g'), h: answering('h'), o: answering('o'), t: answering('t') };
    const { app } = await openZoo({ document, operations: { ...operations, ...handlers } });
    const by = async (method: string) =>
      (await app.inject({ method: method as 'GET', url: '/v1/all' })).headers['x-by'];
    expect([await by('GET'), await by('HEAD'), await by('OPTIONS'), await by('TRACE')]).toEqual(['g', 'h', 'o', 't']);
    const refused = await app.inject({ method: 'PUT', url: '/v1/all' });
    expect(refused.headers.allow).toBe('GET, HEAD, OPTIONS, TRACE');
    await app.close();
  });
});

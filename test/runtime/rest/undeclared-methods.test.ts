import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePathOf } from '../../../src/descriptor/base-path.ts';
import { HTTP_METHODS, type Operation, type PathItem } from '../../../src/descriptor/document.ts';
import { handlers } from '../../../src/handlers/index.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';

const SENDABLE = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const id = '019bc0de-7c00-7000-8000-0000000000ff';
const stranger = { sub: id, scope: 'none' };

interface Declared {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const contracts: readonly (readonly [string, AnyHandlers])[] = [
  ['contracts', handlers as unknown as AnyHandlers],
  ['library', {}],
  ['cats', {}],
];

describe.each(contracts)('methods of %s', (name, own) => {
  let service: Service;
  let base: string;
  let paths: [string, PathItem][];
  let operations: Declared[];

  beforeAll(async () => {
    service = await startService(name, databases[0]!, own);
    const { document } = await contractOf(name);
    base = basePathOf(document);
    paths = Object.entries(document.paths);
    operations = paths.flatMap(([path, item]) =>
      HTTP_METHODS.flatMap((method) => {
        const operation = item[method];
        return operation ? [{ method: method.toUpperCase(), path, operation }] : [];
      }),
    );
  });
  afterAll(() => service.close());

  const url = (path: string): string => base + path.replaceAll(/\{[^}]+\}/g, id);
  const declaredAt = (at: string): string[] => operations.filter(({ path }) => path === at).map(({ method }) => method);

  it('answers 405 with Allow to each method that the contract does not declare, token or not', async () => {
    for (const [path] of paths) {
      const declared = declaredAt(path);
      const offered = new Set([...declared, 'OPTIONS', ...(declared.includes('GET') ? ['HEAD'] : [])]);
      for (const method of SENDABLE.filter((one) => !offered.has(one))) {
        const reply = await service.request(method, url(path));
        expect(reply.status, `${method} ${path}`).toBe(405);
        expect(new Set(String(reply.headers['allow']).split(', '))).toEqual(offered);
        if (method !== 'HEAD') expect(reply.body.code).toBe('METHOD_NOT_ALLOWED');
      }
      const options = await service.request('OPTIONS', url(path));
      expect(options).toMatchObject({ status: 204, text: '' });
      expect(new Set(String(options.headers['allow']).split(', '))).toEqual(offered);
    }
  });

  it('asks for a token, then for its scopes, before it looks at anything else', async () => {
    for (const { method, path, operation } of operations) {
      const security = operation.security ?? (await contractOf(name)).document.security ?? [];
      if (security.length === 0 || security.some((one) => Object.keys(one).length === 0)) continue;
      const nonsense = {
        headers: { 'content-type': 'text/nonsense', accept: 'image/png', 'if-match': '?' },
        body: '{',
      };
      const target = `${url(path)}?nonsense=1`.replaceAll(id, 'no-uuid');
      const anonymous = await service.request(method, target, method === 'GET' ? {} : nonsense);
      expect(anonymous, `${method} ${path}`).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
      if (security.some((one) => Object.values(one).every((scopes) => scopes.length === 0))) continue;
      const unscoped = await service.request(method, target, { ...(method === 'GET' ? {} : nonsense), as: stranger });
      expect(unscoped, `${method} ${path}`).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
  });

  it('answers problems of the same kind to HEAD, without a body', async () => {
    for (const { path } of operations.filter(({ method }) => method === 'GET')) {
      const [got, head] = [await service.request('GET', url(path)), await service.request('HEAD', url(path))];
      expect(head).toMatchObject({ status: got.status, text: '' });
      expect(head.headers['content-type']).toBe(got.headers['content-type']);
    }
  });

  it('knows nothing beside the contract', async () => {
    for (const target of [
      '/',
      base,
      `${base}/nothing`,
      `${base}/`,
      '/v2',
      '/%00',
      `${base}/%E0%A4%A`,
      '//x',
      '/.env',
    ]) {
      const reply = await service.request('GET', target);
      expect([400, 404], target).toContain(reply.status);
      expect(reply.body.code).toMatch(/NOT_FOUND|MALFORMED_REQUEST/);
    }
  });
});

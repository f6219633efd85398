import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoreFailure } from '../../../src/runtime/storage/store-error.ts';
import { StoreError } from '../../../src/runtime/storage/store-error.ts';
import { databases } from '../../support/databases.ts';
import { pinoLines } from '../../support/log-lines.ts';
import { onList } from '../../support/reads.ts';
import { type Service, startService } from '../../support/service.ts';

const lost = (why: string, kind: 'unavailable' | 'full' = 'unavailable') =>
  new StoreError({ kind } as StoreFailure, new Error(why));

describe.each(databases)('requests that are refused on $name', (database) => {
  let service: Service;
  let lines: Record<string, unknown>[];
  let fault: () => Error;

  beforeEach(async () => {
    // Nothing else is counted by it: a second passes when a test says so.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { log, entries } = pinoLines('info');
    lines = entries;
    service = await startService('cats', database, {}, { http: { log }, listCacheBytes: 0, checkResponses: false });
    onList(service.store, () => {
      throw fault();
    });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await service.close();
  });

  const protocols = {
    REST: async () => (await service.request('GET', '/v1/cats')).body.code,
    GraphQL: async () => (await service.graphql('{ cats { nodes { id } } }')).errors![0]!.extensions.code,
  };

  it.each(Object.entries(protocols))(
    'over %s are a line at once, and one with their number a second',
    async (_, ask) => {
      fault = () => lost('no connection is free');
      for (let i = 0; i < 30; i++) expect(await ask()).toBe('SERVICE_UNAVAILABLE');
      const why = 'store: unavailable: no connection is free';
      expect(lines).toMatchObject([{ level: 40, code: 'SERVICE_UNAVAILABLE', why, requestId: expect.any(String) }]);
      vi.advanceTimersByTime(1_000);
      expect(lines.slice(1)).toMatchObject([{ level: 40, code: 'SERVICE_UNAVAILABLE', why, count: 29 }]);
      await ask();
      vi.advanceTimersByTime(1_000);
      expect(lines.slice(2)).toMatchObject([{ count: 1 }]);
      // After a second without any, the next is the first again.
      vi.advanceTimersByTime(5_000);
      expect(lines).toHaveLength(3);
      await ask();
      expect(lines[3]).toMatchObject({ why, requestId: expect.any(String) });
      expect(lines.some((line) => 'err' in line || 'stack' in line)).toBe(false);
    },
  );

  it('are told apart by their reason and their code', async () => {
    for (const error of [lost('a'), lost('b'), lost('a', 'full'), lost('a')]) {
      fault = () => error;
      for (const ask of Object.values(protocols)) await ask();
    }
    const kinds = lines.map(({ code, why }) => `${code} ${why}`);
    expect(kinds).toEqual([
      'SERVICE_UNAVAILABLE store: unavailable: a',
      'SERVICE_UNAVAILABLE store: unavailable: b',
      'INSUFFICIENT_STORAGE store: full: a',
    ]);
    vi.advanceTimersByTime(1_000);
    expect(lines.slice(3).map(({ count }) => count)).toEqual([3, 1, 1]);
  });

  it('are not errors of this program, which have a line each', async () => {
    fault = () => new Error('a bug');
    for (const ask of [protocols.REST, protocols.REST, protocols.GraphQL]) expect(await ask()).toBe('INTERNAL_ERROR');
    expect(lines).toHaveLength(3);
    for (const line of lines)
      expect(line).toMatchObject({ level: 50, err: { stack: expect.stringContaining('a bug') } });
  });
});

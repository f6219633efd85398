import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { collectBodies } from '../../../src/runtime/http/collect-body.ts';

describe('bodies of requests', () => {
  it('have a parser under the name of each type that clients send often, and one for all others', async () => {
    const app = fastify();
    app.removeAllContentTypeParsers();
    collectBodies(app, { limit: 1_000, turnOf: () => undefined });
    app.post('/', ({ body }) => String(body));
    const named = ['application/json', 'application/merge-patch+json'];
    expect(named.map((type) => app.hasContentTypeParser(type))).toEqual([true, true]);
    for (const type of [...named, 'application/json; charset=utf-8', 'image/png', 'text/plain']) {
      const { payload } = await app.inject({
        method: 'POST',
        url: '/',
        payload: 'as sent',
        headers: { 'content-type': type },
      });
      expect(payload, type).toBe('as sent');
    }
    await app.close();
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Page } from '../../../src/runtime/engine/interface/engine.ts';
import { RowEntity } from '../../../src/runtime/engine/resource/row-codec.ts';
import { cachedPageReply } from '../../../src/runtime/rest/page-reply.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';

const staff = { sub: 'staff', scope: 'atlas:write trips:admin' };
const LIST = '/v1/countries';

/** A list whose rows are what code says. */
let shown = (name: string): string => name;
const handlers = {
  overrides: {
    'countries.cities': {
      async list(query: object, _context: object, next: (query: object) => Promise<{ items: { name: string }[] }>) {
        const page = await next(query);
        return { ...page, items: page.items.map((city) => ({ ...city, name: shown(city.name) })) };
      },
    },
  },
} as unknown as AnyHandlers;

describe.each(databases)('the entity tag of a list on $name', (database) => {
  let service: Service;
  let now = Date.parse('2026-01-15T12:00:00.000Z');

  beforeAll(async () => {
    service = await startService('atlas', database, handlers, { clock: () => now });
    await put(`${LIST}/FR`, { id: 'FR', name: 'France' });
    await put(`${LIST}/DE`, { id: 'DE', name: 'Deutschland' });
  });
  afterAll(() => service.close());
  afterEach(() => void vi.restoreAllMocks());

  const put = (url: string, body: object) => service.request('PUT', url, { as: staff, body });
  const ask = (url = LIST, tag?: string) =>
    service.request('GET', url, { as: staff, headers: tag === undefined ? {} : { 'if-none-match': tag } });
  const tagOf = async (url?: string) => String((await ask(url)).headers['etag']);

  it('is that of the versions: another after each change, also where it is taken back', async () => {
    const before = await tagOf();
    expect(await tagOf()).toBe(before);
    await put(`${LIST}/FR`, { id: 'FR', name: 'La France' });
    const changed = await tagOf();
    await put(`${LIST}/FR`, { id: 'FR', name: 'France' });
    expect(new Set([before, changed, await tagOf()]).size).toBe(3);
  });

  it('is another for a row that has the id of one that was deleted', async () => {
    await put(`${LIST}/NO`, { id: 'NO', name: 'Norway' });
    const before = await tagOf();
    expect((await service.request('DELETE', `${LIST}/NO`, { as: staff })).status).toBe(204);
    now += 1;
    expect((await put(`${LIST}/NO`, { id: 'NO', name: 'Norge' })).body).toMatchObject({ version: 1 });
    expect((await ask(LIST, before)).status).toBe(200);
  });

  it('needs no text of the rows for a 304', async () => {
    const tag = await tagOf(`${LIST}?limit=1`);
    const text = vi.spyOn(RowEntity.prototype, 'json', 'get');
    expect(await ask(`${LIST}?limit=1`, tag)).toMatchObject({ status: 304, text: '' });
    expect(text).not.toHaveBeenCalled();
  });

  it('is that of the text where code makes the rows', async () => {
    const url = `${LIST}/FR/cities`;
    expect((await put(`${url}/paris`, { id: 'paris', name: 'Paris' })).status).toBe(201);
    const before = await tagOf(url);
    shown = (name) => name.toUpperCase();
    expect(await ask(url, before)).toMatchObject({ status: 200, body: { data: [{ name: 'PARIS' }] } });
    shown = (name) => name;
    expect((await ask(url, before)).status).toBe(304);
  });
});

describe('what a page shows and its tag', () => {
  const page = { items: [], nextCursor: null, isPreceded: false, previousCursor: null, cursorOf: () => '' };
  const item = (id: string, version: number, updatedAt: string, viewTag?: string) => ({
    id,
    version,
    updatedAt,
    viewTag,
  });
  const [first, second] = [item('a', 1, 't'), item('b', 1, 't')];

  it('differ together', async () => {
    const { resources } = await contractOf('atlas');
    const descriptor = resources.find(({ key }) => key === 'countries')!;
    const list = { ...descriptor.list!, pagesBack: true as const };
    const tagOf = (items: readonly object[], rest: object = {}, digest = 'digest') => {
      const shownItems = items.map((values) => {
        const row = descriptor.properties.map(({ name }) => (values as Record<string, unknown>)[name] ?? null);
        return { ...values, row };
      });
      const render = cachedPageReply({ ...descriptor, list }, digest);
      return render({ ...page, items: shownItems, rendered: {}, ...rest } as unknown as Page).etag;
    };
    const tags = [
      tagOf([]),
      tagOf([first]),
      tagOf([first, second]),
      tagOf([second, first]),
      tagOf([item('a', 2, 't'), second]),
      tagOf([item('a', 1, 'u'), second]),
      tagOf([item('a', 1, 't', 'hidden'), second]),
      tagOf([first, item('b', 1, 't', 'hidden')]),
      // An id with spaces, which is not two rows.
      tagOf([item('a 1 t  1 b', 1, 't')]),
      tagOf([first, second], { nextCursor: 'x' }),
      tagOf([first, second], { previousCursor: 'x' }),
      tagOf([first, second], { totalCount: 2 }),
      tagOf([first, second], { totalCount: 2, totalCountIsExact: true }),
      tagOf([first, second], { totalCount: 2, totalCountIsExact: false }),
      tagOf([first, second], {}, 'another contract'),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(tagOf([first, second])).toBe(tags[2]);
  });
});

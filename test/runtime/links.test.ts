import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { databases } from '../support/databases.ts';
import { type As, type Reply, type Service, startService } from '../support/service.ts';
import type { Json } from '../support/storefront.ts';

const ann: As = { sub: 'ann', scope: 'posts:write posts:see posts:order' };
const bob: As = { ...ann, sub: 'bob', scope: 'posts:write' };
const none: As = { ...ann, scope: 'other' };

const calls: string[] = [];
const handlers: AnyHandlers = {
  overrides: {
    bookmarks: {
      create: async (input: Json, _context: Json, next: (input: Json) => Promise<Json>) => {
        calls.push('bookmark');
        return next(input);
      },
    },
    'posts.postTags': {
      create: async (input: Json, context: Json, next: (input: Json) => Promise<Json>) => {
        calls.push('create');
        if (calls.length > 50) context.refuse('FORBIDDEN', { errors: [{ pointer: '/tag_id', detail: 'is too much' }] });
        return next({ ...input, weight: 7 });
      },
      delete: async (_id: Json, _context: Json, next: () => Promise<void>) => {
        calls.push('delete');
        await next();
      },
    },
  },
} as unknown as AnyHandlers;

const FIELDS: Readonly<Record<string, string>> = {
  PostTag: 'postId: $post, slug: $slug',
  Bookmark: 'slug: $slug, postId: $post',
  Sequel: 'postId: $post, nextId: $slug',
};
const PATHS: Readonly<Record<string, (post: unknown, slug: unknown) => string>> = {
  PostTag: (post, slug) => `/v1/posts/${post}/tags/${slug}`,
  Bookmark: (post, slug) => `/v1/tags/${slug}/bookmarked/${post}`,
  Sequel: (post, next) => `/v1/posts/${post}/sequels/${next}`,
};

describe.each(databases)('links on $name', (database) => {
  let service: Service;
  let count = 0;
  beforeAll(async () => {
    service = await startService('posts', database, handlers);
  });
  afterAll(() => service.close());
  beforeEach(() => calls.splice(0));

  const made = async (url: string, body: object, as = ann): Promise<Json> => {
    const reply = await service.request('POST', `/v1${url}`, { as, body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body;
  };
  const post = (more: object = {}): Promise<Json> => made('/posts', { title: 'One', ...more });
  const tag = (): Promise<Json> => {
    count += 1;
    return made('/tags', { slug: `tag-${String.fromCharCode(97 + (count % 26))}-${'x'.repeat(count / 26)}y` });
  };
  type Verb = 'link' | 'unlink';
  const overRest = (verb: Verb, name: string, one: unknown, other: unknown, as: As = ann): Promise<Reply> =>
    service.request(verb === 'link' ? 'PUT' : 'DELETE', PATHS[name]!(one, other), { as });
  const overGraphql = (verb: Verb, name: string, one: unknown, other: unknown, as: As = ann) => {
    const type = name === 'Sequel' ? 'ID' : 'String';
    const field = `${verb}${name}(${FIELDS[name]})`;
    const variables = { post: String(one), slug: String(other) };
    return service.graphql(`mutation ($post: ID!, $slug: ${type}!) { done: ${field} }`, { as, variables });
  };
  /** What both protocols answer: a status, or the code. */
  const ways = [
    async (...args: Parameters<typeof overRest>) => {
      const { status, body } = await overRest(...args);
      return status === 204 ? 'done' : body.code;
    },
    async (...args: Parameters<typeof overRest>) => {
      const { data, errors } = await overGraphql(...args);
      return data?.done === true ? 'done' : errors?.[0]?.extensions.code;
    },
  ];
  const tagsOf = async (id: number): Promise<readonly Json[]> =>
    (await service.request('GET', `/v1/posts/${id}/post_tags`, { as: ann })).body.data;

  it.each(ways.map((ask, i) => [['REST', 'GraphQL'][i], ask] as const))(
    'makes a link once and ends it once over %s, by the code of the joining row',
    async (_name, ask) => {
      const [{ id }, { slug }] = [await post(), await tag()];
      for (let i = 0; i < 2; i += 1) expect(await ask('link', 'PostTag', id, slug)).toBe('done');
      expect((await tagsOf(id)).map(({ weight, version }) => [weight, version])).toEqual([[7, 1]]);
      expect(calls).toEqual(['create']);
      for (let i = 0; i < 2; i += 1) expect(await ask('unlink', 'PostTag', id, slug)).toBe('done');
      expect(await tagsOf(id)).toEqual([]);
      expect(calls).toEqual(['create', 'delete']);
    },
  );

  it('answers the same for faults of either end, over both protocols', async () => {
    const [open, draft, { slug }] = [await post(), await post({ draft: true }), await tag()];
    for (const [at, ask] of ways.entries())
      for (const verb of ['link', 'unlink'] as const) {
        expect(await ask(verb, 'PostTag', 99999, slug)).toBe('NOT_FOUND');
        expect(await ask(verb, 'PostTag', open.id, 'no-such')).toBe('NOT_FOUND');
        expect(await ask(verb, 'PostTag', draft.id, slug, bob), `${verb} ${at}`).toBe('NOT_FOUND');
        expect(await ask(verb, 'Bookmark', draft.id, slug, bob)).toBe('NOT_FOUND');
        expect(await ask(verb, 'Sequel', open.id, draft.id, bob)).toBe('NOT_FOUND');
        expect(await ask(verb, 'PostTag', 'x', slug)).toBe('VALIDATION_FAILED');
        expect(await ask(verb, 'PostTag', open.id, 'NOT A SLUG')).toBe('VALIDATION_FAILED');
        expect(await ask(verb, 'Sequel', open.id, 'x')).toBe('VALIDATION_FAILED');
        expect(await ask(verb, 'PostTag', open.id, slug, none)).toBe('FORBIDDEN');
      }
    const bad = await overGraphql('link', 'Sequel', open.id, 'x');
    expect(bad.errors![0]!.extensions.errors[0].argument).toBe('nextId');
    expect(calls).toEqual([]);
  });

  it('asks the rules of creating and deleting the joining row', async () => {
    const [one, two] = [await post(), await post()];
    for (const ask of ways) {
      expect(await ask('link', 'Sequel', one.id, two.id, bob)).toBe('FORBIDDEN');
      expect(await ask('link', 'Sequel', one.id, two.id)).toBe('done');
      expect(await ask('link', 'Sequel', one.id, two.id, bob)).toBe('done');
      expect(await ask('unlink', 'Sequel', one.id, two.id, bob)).toBe('FORBIDDEN');
      expect(await ask('unlink', 'Sequel', two.id, one.id)).toBe('done');
      expect(await ask('unlink', 'Sequel', one.id, two.id)).toBe('done');
    }
  });

  it('reveals of a joining row that is hidden what creating it does, and leaves it', async () => {
    const [{ id }, { slug }] = [await post(), await tag()];
    for (const ask of ways) {
      expect(await ask('link', 'Bookmark', id, slug, ann)).toBe('done');
      calls.splice(0);
      expect(await ask('link', 'Bookmark', id, slug, bob)).toBe('ALREADY_EXISTS');
      expect(calls).toEqual(['bookmark']);
      expect(await ask('unlink', 'Bookmark', id, slug, bob)).toBe('done');
      const { body } = await service.request('GET', '/v1/bookmarks?limit=50', { as: ann });
      expect(body.data.filter(({ post_id }: Json) => post_id === id)).toHaveLength(1);
    }
  });

  it('puts faults of the joining row where the path has them', async () => {
    const [{ id }, { slug }] = [await post(), await tag()];
    calls.push(...Array.from({ length: 50 }, () => 'before'));
    const rest = await overRest('link', 'PostTag', id, slug);
    expect([rest.status, rest.body.errors]).toEqual([403, [{ parameter: 'slug', detail: 'is too much' }]]);
    const { errors } = await overGraphql('link', 'PostTag', id, slug);
    expect(errors![0]!.extensions.errors).toEqual([{ argument: 'slug', detail: 'is too much' }]);
  });

  it('takes no body', async () => {
    const [{ id }, { slug }] = [await post(), await tag()];
    const reply = await service.request('PUT', `/v1/posts/${id}/tags/${slug}`, { as: ann, body: { weight: 1 } });
    expect([reply.status, reply.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('answers 204 to all that make and end the same link at once, and leaves one row or none', async () => {
    const [{ id }, { slug }] = [await post(), await tag()];
    for (let round = 0; round < 5; round += 1) {
      const linked = await Promise.all(Array.from({ length: 8 }, () => overRest('link', 'PostTag', id, slug)));
      expect(new Set(linked.map(({ status }) => status))).toEqual(new Set([204]));
      expect(await tagsOf(id)).toHaveLength(1);
      const mixed = await Promise.all(
        Array.from({ length: 8 }, (_, i) => overRest(i % 2 === 0 ? 'unlink' : 'link', 'PostTag', id, slug)),
      );
      expect(new Set(mixed.map(({ status }) => status))).toEqual(new Set([204]));
      calls.splice(0);
      const ended = await Promise.all(Array.from({ length: 8 }, () => overRest('unlink', 'PostTag', id, slug)));
      expect(new Set(ended.map(({ status }) => status))).toEqual(new Set([204]));
      expect(await tagsOf(id)).toEqual([]);
    }
  });
});

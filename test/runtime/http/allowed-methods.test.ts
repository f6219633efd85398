import fc from 'fast-check';
import { type FastifyInstance, fastify, type HTTPMethods } from 'fastify';
import { describe, expect, it } from 'vitest';
import {
  type AllowedMethods,
  AllowedPaths,
  allowOf,
  ROUTER_OPTIONS,
  refuseOtherMethods,
} from '../../../src/runtime/http/allowed-methods.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE'];
const WORDS = ['a', 'b', 'a-b', 'c%61', 'x:run'];
const SEGMENTS = ['a', 'b', 'ca', ':p', ':p-b', ':p([^/]+?)::run'];

const pathsOf = fc.uniqueArray(
  fc.record({
    url: fc
      .array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 2 })
      .map((segments) => `/${segments.map((segment, i) => segment.replace(':p', `:p${i}`)).join('/')}`),
    served: fc.uniqueArray(fc.constantFrom(...METHODS), { minLength: 1 }),
  }),
  { selector: ({ url }) => url, minLength: 2, maxLength: 6 },
);

const SHADOWED_BY_PATTERN = [
  { url: '/:p0', served: ['GET' as const] },
  { url: '/:p0([^/]+?)::run', served: ['DELETE' as const] },
];

type Paths = readonly { readonly url: string; readonly served: readonly HTTPMethods[] }[];

const allowed = (url: string, served: readonly HTTPMethods[] = METHODS): AllowedMethods => ({
  url,
  served: new Set(served),
  allow: allowOf(new Set(served)),
  replyProblem: (_thrown, _request, reply) =>
    void reply
      .code(405)
      .header('allow', allowOf(new Set(served)))
      .send(),
});

/** Each path has a route for each method. */
function routingAll(paths: Paths): FastifyInstance {
  const app = fastify({ exposeHeadRoutes: false, routerOptions: ROUTER_OPTIONS });
  for (const { url, served } of paths)
    for (const method of METHODS)
      app.route({
        method,
        url,
        handler: (_request, reply) => {
          if (!served.includes(method)) reply.code(405).header('allow', allowOf(new Set(served)));
          return reply.send(served.includes(method) ? url : '');
        },
      });
  return app;
}

function routingServed(paths: Paths): FastifyInstance {
  const app = fastify({ exposeHeadRoutes: false, routerOptions: ROUTER_OPTIONS });
  const known = new AllowedPaths();
  app.register(async (scope) => {
    refuseOtherMethods(scope, known);
    scope.setNotFoundHandler((_request, reply) => reply.code(404).send());
  });
  for (const { url, served } of paths) {
    known.add(allowed(url, served));
    app.route({ method: [...served], url, handler: (_request, reply) => reply.send(url) });
  }
  known.refuseShadowed(app);
  return app;
}

describe('methods that paths lack', () => {
  it('are refused as if each path had a route for each method, whatever other paths serve', async () => {
    const targets = WORDS.flatMap((one) => [`/${one}`, ...WORDS.map((other) => `/${one}/${other}`)]);
    const answers = async (app: FastifyInstance): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (const url of targets)
        for (const method of METHODS as ('GET' | 'POST')[]) {
          const { statusCode, headers, body } = await app.inject({ method, url });
          found.push([method, url, statusCode, headers['allow'], statusCode === 404 ? '' : body]);
        }
      return found;
    };
    await fc.assert(
      fc.asyncProperty(pathsOf, async (paths) => {
        expect(await answers(routingServed(paths))).toEqual(await answers(routingAll(paths)));
      }),
      { numRuns: 40, examples: [[SHADOWED_BY_PATTERN]] },
    );
  });
});

describe('paths', () => {
  it('are known by any names of their parameters, and only once', () => {
    const paths = new AllowedPaths();
    paths.add(allowed('/cats/:catId'), allowed('/cats/:catId::run'), allowed('/docs/*'));
    for (const url of ['/cats/:id', '/docs/*']) expect(paths.has(url)).toBe(true);
    for (const url of ['/cats', '/cats/::id', '/docs']) expect(paths.has(url)).toBe(false);
    expect(() => paths.add(allowed('/cats/:name'))).toThrow('/cats/:name is served twice');
  });
});

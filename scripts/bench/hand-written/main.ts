import { hash, randomUUID } from 'node:crypto';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { requireScope, tokenVerifier } from './bearer.ts';
import { registerGraphql } from './graphql.ts';
import { type ListQuery, listOptions, nextCursor } from './list-query.ts';
import { PostgresProductStore, PostgresReviewStore } from './postgres-store.ts';
import { HttpProblem, notFound, sendProblem } from './problem.ts';
import { type Product, type ProductInput, type ProductPatch, ProductStore } from './product-store.ts';
import { ReviewStore } from './review-store.ts';
import * as schemas from './schemas.ts';

/**
 * The products of the storefront as a good engineer would write them with Fastify, for comparison: Ajv validates,
 * fast-json-stringify serializes, statements are prepared once, and each token is verified once. Same rows, same bytes.
 */
const database = process.env['DATABASE']!;
const isPostgres = database.startsWith('postgres:');
const verifyToken = tokenVerifier(Buffer.from(process.env['JWT_SECRET']!));
const store = isPostgres ? new PostgresProductStore(database) : new ProductStore(database.slice('sqlite:'.length));
const reviews = isPostgres ? new PostgresReviewStore(database) : new ReviewStore(database.slice('sqlite:'.length));
const app = fastify({
  genReqId: () => randomUUID(),
  // Strict where possible: query parameters are texts, so they need coercion.
  ajv: { customOptions: { removeAdditional: false, coerceTypes: true, allowUnionTypes: true } },
});
const mayWrite = requireScope('products:write', verifyToken);

app.addContentTypeParser(
  'application/merge-patch+json',
  { parseAs: 'string' },
  app.getDefaultJsonParser('error', 'error'),
);

app.setErrorHandler((error: Error & { validation?: unknown; errcode?: number; code?: string }, _request, reply) => {
  if (error instanceof HttpProblem) return sendProblem(reply, error);
  if (error.validation)
    return sendProblem(reply, new HttpProblem(400, 'VALIDATION_FAILED', 'Validation failed', error.message));
  if (error.errcode === 2067 || error.code === '23505')
    return sendProblem(
      reply,
      new HttpProblem(409, 'ALREADY_EXISTS', 'Already exists', 'Another product has this sku.'),
    );
  return sendProblem(reply, new HttpProblem(500, 'INTERNAL_ERROR', 'Internal server error', 'The server failed.'));
});

registerGraphql(app, store, reviews, verifyToken);

type ById = { Params: { productId: string } };

app.get<ById>(
  '/v1/products/:productId',
  { schema: { params: schemas.productParams, response: { 200: schemas.product } } },
  async (request, reply) => {
    const product = await store.get(request.params.productId);
    if (!product) throw notFound();
    if (isCurrent(request, product)) return reply.code(304).header('etag', etagOf(product)).send();
    return sendProduct(reply, product);
  },
);

app.get<{ Querystring: ListQuery }>(
  '/v1/products',
  { onSend: tagPage, schema: { querystring: schemas.listQuery, response: { 200: schemas.productPage } } },
  async ({ query }, reply) => {
    const rows = await store.list(listOptions(query));
    const data = rows.length > query.limit ? rows.slice(0, query.limit) : rows;
    const cursor = rows.length > query.limit ? nextCursor(query, data.at(-1)!) : null;
    return reply.send({ data, page: { nextCursor: cursor } });
  },
);

app.post<{ Body: ProductInput }>(
  '/v1/products',
  { onRequest: mayWrite, schema: { body: schemas.productInput, response: { 201: schemas.product } } },
  async ({ body }, reply) => {
    if (body.status !== undefined && body.status !== 'DRAFT') throw illegalTransition();
    const product = await store.create(body);
    return sendProduct(reply.code(201).header('location', `/v1/products/${product.id}`), product);
  },
);

app.patch<ById & { Body: ProductPatch }>(
  '/v1/products/:productId',
  {
    onRequest: mayWrite,
    schema: { params: schemas.productParams, body: schemas.productPatch, response: { 200: schemas.product } },
  },
  async ({ params, body, headers }, reply) => {
    const product = await store.update(params.productId, (current) => {
      const expected = headers['if-match'];
      if (expected !== undefined && expected !== '*' && expected !== etagOf(current)) {
        throw new HttpProblem(412, 'PRECONDITION_FAILED', 'Precondition failed', 'The version is another.');
      }
      if (body.status !== undefined && !isLegal(current.status, body.status)) throw illegalTransition();
      return body;
    });
    if (!product) throw notFound();
    return sendProduct(reply, product);
  },
);

app.delete<ById>('/v1/products/:productId', { onRequest: mayWrite, schema: { params: schemas.productParams } }, () => {
  throw new HttpProblem(501, 'NOT_IMPLEMENTED', 'Not implemented', 'The benchmark deletes nothing.');
});

/** The entity tag of a page is its hash. */
function tagPage(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
  done: (error: null, body: unknown) => void,
): void {
  const etag = `"${hash('sha1', body as string, 'base64url')}"`;
  reply.header('etag', etag);
  const isKnown = request.headers['if-none-match'] === etag;
  if (isKnown) reply.code(304);
  done(null, isKnown ? '' : body);
}

const etagOf = ({ version }: Product): string => `"${version}"`;

const isCurrent = ({ headers }: FastifyRequest, product: Product): boolean | undefined => {
  const tags = headers['if-none-match'];
  return tags?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etagOf(product));
};

const sendProduct = (reply: FastifyReply, product: Product) => reply.header('etag', etagOf(product)).send(product);

const MOVES: Readonly<Record<string, readonly string[]>> = { DRAFT: ['ACTIVE'], ACTIVE: ['ARCHIVED'], ARCHIVED: [] };
const isLegal = (from: string, to: string): boolean => from === to || MOVES[from]!.includes(to);
const illegalTransition = () =>
  new HttpProblem(409, 'ILLEGAL_TRANSITION', 'Illegal transition', 'The status cannot move there.');

await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });

import { hash, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import fastify from 'fastify';

/**
 * The reads of products as an engineer writes them who thinks of speed alone: Fastify, prepared statements of `node:sqlite`,
 * rows as arrays, text made from them by hand, no response schemas, synchronous handlers. Same rows, same bytes; a cursor
 * is not signed.
 */
const database = new DatabaseSync(process.env['DATABASE']!.slice('sqlite:'.length));
database.exec('pragma journal_mode = wal; pragma synchronous = normal');
database.exec('pragma cache_size = -65536; pragma mmap_size = 268435456');
const COLUMNS = `id, version, created_at, updated_at, sku, name, description, price, currency, tax_rate, stock, tags, status,
  delivery, image_url, cast(units_sold as text)`;
const one = database.prepare(`select ${COLUMNS} from products where id = ?`);
const page = database.prepare(`select ${COLUMNS} from products where id > ? order by id limit ?`);
for (const statement of [one, page]) statement.setReturnArrays(true);

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

type Row = readonly (string | number | null)[];

const app = fastify({ logger: false, genReqId: () => randomUUID() });

app.get<{ Params: { productId: string } }>(
  '/v1/products/:productId',
  { schema: { params: { type: 'object', properties: { productId: { type: 'string', format: 'uuid' } } } } },
  (request, reply) => {
    const row = one.get(request.params.productId) as Row | undefined;
    if (!row) {
      reply
        .code(404)
        .type(PROBLEM_TYPE)
        .send(
          JSON.stringify({
            type: '/errors/NOT_FOUND',
            title: 'Not found',
            status: 404,
            detail: 'No Product has this id.',
            instance: request.url.split('?', 1)[0],
            code: 'NOT_FOUND',
            requestId: request.id,
          }),
        );
      return;
    }
    const etag = `"${row[1]}"`;
    if (request.headers['if-none-match'] === etag) reply.code(304).header('etag', etag).send();
    else reply.header('etag', etag).type(JSON_TYPE).send(textOf(row));
  },
);

const query = {
  type: 'object',
  additionalProperties: false,
  properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, cursor: { type: 'string' } },
};

app.get<{ Querystring: { limit: number; cursor?: string } }>(
  '/v1/products',
  { schema: { querystring: query } },
  ({ query: { limit, cursor } }, reply) => {
    const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
    const rows = page.all(after, limit + 1) as unknown as Row[];
    const hasNext = rows.length > limit;
    if (hasNext) rows.pop();
    const nextCursor = hasNext ? Buffer.from(String(rows.at(-1)?.[0])).toString('base64url') : null;
    const body = `{"data":[${rows.map(textOf).join(',')}],"page":{"nextCursor":${JSON.stringify(nextCursor)}}}`;
    reply
      .header('etag', `"${hash('sha1', body, 'base64url')}"`)
      .type(JSON_TYPE)
      .send(body);
  },
);

/** `tags` and `delivery` are stored as JSON text. */
function textOf(row: Row): string {
  const [id, version, createdAt, updatedAt, sku, name, description, price, currency, taxRate, stock] = row;
  const text = `{"id":"${id}","version":${version},"createdAt":"${createdAt}","updatedAt":"${updatedAt}","sku":"${sku}"`;
  const terms = `,"price":${price},"currency":"${currency}","taxRate":"${taxRate}","stock":${stock},"tags":${row[11]}`;
  const words = `,"name":${JSON.stringify(name)},"description":${JSON.stringify(description)}`;
  const rest = `,"status":"${row[12]}","delivery":${row[13]},"imageUrl":${JSON.stringify(row[14])}`;
  return `${text}${words}${terms}${rest},"unitsSold":"${row[15]}"}`;
}

await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });

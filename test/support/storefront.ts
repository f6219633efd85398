import { admin, type Caller, customer } from '../../contracts/samples/index.ts';
import { handlers } from '../../src/handlers/index.ts';
import type { ServerOptions } from '../../src/runtime/server.ts';
import type { Store } from '../../src/runtime/storage/store.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import type { DatabaseKind } from './databases.ts';
import { type GraphqlReply, type Reply, type Service, startService } from './service.ts';

export { admin, type Caller, customer };
/** Another customer than the sample's. */
export const stranger: Caller = { ...customer, subject: '01941f29-7c00-7a10-8c57-000000000001' };

/** A resource as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
export type Json = any;

/** The shop over HTTP, with its handlers, on an empty database. */
export class Shop {
  readonly service: Service;

  private constructor(service: Service) {
    this.service = service;
  }

  static async open(database: DatabaseKind, options: Partial<ServerOptions> = {}): Promise<Shop> {
    return new Shop(await startService('contracts', database, handlers as unknown as AnyHandlers, options));
  }

  get store(): Store {
    return this.service.store;
  }

  /** Opens a port, any if left out; the port. */
  listen(port?: number): Promise<number> {
    return this.service.listen(port);
  }

  close(): Promise<void> {
    return this.service.close();
  }

  /** `as` undefined: anonymous. `path` is below the base path. */
  request(
    method: string,
    path: string,
    as?: Caller,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    return this.service.request(method, `/v1${path}`, {
      ...(as && { as: { sub: as.subject, scope: as.scope } }),
      ...(body && { body }),
      ...(headers && { headers }),
    });
  }

  get = (path: string, as?: Caller): Promise<Reply> => this.request('GET', path, as);
  post = (path: string, as: Caller, body: object): Promise<Reply> => this.request('POST', path, as, body);
  patch = (path: string, as: Caller, body: object): Promise<Reply> => this.request('PATCH', path, as, body);
  put = (path: string, as: Caller, body: object): Promise<Reply> => this.request('PUT', path, as, body);
  delete = (path: string, as: Caller): Promise<Reply> => this.request('DELETE', path, as);

  /** Sends a document to `/graphql`. `as` undefined: anonymous. */
  graphql(
    query: string,
    variables: object = {},
    as?: Caller,
    headers?: Readonly<Record<string, string>>,
  ): Promise<GraphqlReply> {
    const caller = as && { as: { sub: as.subject, scope: as.scope } };
    return this.service.graphql(query, { variables, ...caller, ...(headers && { headers }) });
  }

  /** A user of the caller's own. */
  async user(as: Caller): Promise<Json> {
    return created(await this.post('/users', as, { email: `${as.subject}@example.com`, name: 'Ada Lovelace' }));
  }

  /** A product that can be ordered. */
  async product(values: object = {}): Promise<Json> {
    const input = { sku: nextSku(), name: 'Blue mug', price: 1999, currency: 'EUR', stock: 10, delivery, ...values };
    const { id } = created(await this.post('/products', admin, input));
    return (await this.patch(`/products/${id}`, admin, { status: 'ACTIVE' })).body;
  }

  async order(as: Caller = customer): Promise<Json> {
    return created(await this.post('/orders', as, {}));
  }

  /** A review of a product by the caller. */
  async review(productId: string, as: Caller, values: object = {}): Promise<Json> {
    return created(await this.post(`/products/${productId}/reviews`, as, { rating: 4, title: 'Fine', ...values }));
  }

  async item(orderId: string, productId: string, quantity: number): Promise<Json> {
    return created(await this.post(`/orders/${orderId}/items`, customer, { productId, quantity }));
  }
}

const delivery = { kind: 'PHYSICAL', weightGrams: 410 };

let made = 0;
function nextSku(): string {
  made += 1;
  return `MUG-${made}`;
}

function created({ status, body }: Reply): Json {
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** What a test checks of a refusal. */
export function refused({ status, body }: Reply): { status: number; code: string } {
  return { status, code: body.code };
}

import type { Instance } from '../../support/instance.ts';
import type { Json } from '../../support/storefront.ts';
import { type Answer, Client } from '../support/client.ts';
import { adminToken, customerToken, isValid } from '../support/shop.ts';
import type { Attempt, Entry, TableName } from './history.ts';

/** What a row of each table is called over GraphQL, where it is over REST, who writes it, and what is asked for. */
const KINDS = {
  products: {
    type: 'Product',
    token: adminToken,
    fields: 'id version createdAt updatedAt name description price stock',
  },
  orders: { type: 'Order', token: customerToken, fields: 'id version createdAt updatedAt note total status userId' },
  orders_items: {
    type: 'OrderItem',
    token: customerToken,
    fields: 'id version createdAt updatedAt orderId productId quantity unitPrice',
  },
} as const;

export interface Change {
  readonly table: TableName;
  readonly operation: Entry['operation'];
  readonly mark: string;
  readonly id?: string;
  readonly orderId?: string;
  readonly input?: object;
  readonly ifVersion?: number | undefined;
  /** With which it may be repeated. */
  readonly key?: string;
}

export type Protocol = 'REST' | 'GraphQL';

/** What came of a request: data, or the code of an error. */
interface Outcome {
  readonly status: number;
  readonly code?: string | undefined;
  readonly data?: Json;
}

/** The requests of one caller, which remembers its last consistency token. */
export class Requests {
  readonly invalid: string[];
  readonly #client = new Client(8);
  #token: string | undefined;

  constructor(invalid: string[]) {
    this.invalid = invalid;
  }

  async change(
    instance: Instance,
    protocol: Protocol,
    change: Change,
  ): Promise<Attempt & { readonly code?: string | undefined }> {
    const { table, operation, mark, id, ifVersion, key } = change;
    const asked = { table, operation, mark, id, ifVersion, sentMs: performance.now() };
    const answer = await (protocol === 'REST' ? this.#rest(instance, change) : this.#graphql(instance, change));
    if (!answer) return { ...asked, outcome: 'unknown' };
    const { status, code, data } = protocol === 'REST' ? restOutcome(answer) : graphqlOutcome(answer);
    if (status >= 500 && status !== 503) this.invalid.push(answer.text);
    if (status >= 500) return { ...asked, outcome: 'unknown', code };
    if (code !== undefined) return { ...asked, outcome: 'refused', code };
    const { etag, location } = answer.headers;
    const kept = key !== undefined && { answer: JSON.stringify([answer.status, data, etag, location]) };
    return { ...asked, outcome: 'done', body: data ?? {}, ...kept };
  }

  /** Undefined where nobody can answer, or nobody does. */
  async read(instance: Instance, path: string): Promise<{ readonly status: number; readonly body: Json } | undefined> {
    const answer = await this.#send(instance, 'GET', path, { token: customerToken });
    if (!answer || answer.status === 503) return undefined;
    if (answer.status >= 500) this.invalid.push(answer.text);
    return { status: answer.status, body: JSON.parse(answer.text) };
  }

  close(): void {
    this.#client.close();
  }

  #rest(instance: Instance, { table, operation, id, orderId, input, ifVersion, key }: Change) {
    const collection = table === 'orders_items' ? `/v1/orders/${orderId}/items` : `/v1/${table}`;
    const headers = {
      ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const path = operation === 'insert' ? collection : `${collection}/${id}`;
    return this.#send(instance, METHODS[operation], path, { token: KINDS[table].token, body: input, headers });
  }

  #graphql(instance: Instance, { table, operation, id, orderId, input, ifVersion, key }: Change) {
    const { type, token, fields } = KINDS[table];
    const given: Record<string, [string, unknown]> = {};
    if (orderId !== undefined && operation === 'insert') given['orderId'] = ['ID!', orderId];
    if (id !== undefined) given['id'] = ['ID!', id];
    if (input) given['input'] = [`${type}${operation === 'insert' ? 'Input' : 'Patch'}!`, input];
    if (ifVersion !== undefined) given['ifVersion'] = ['Int', ifVersion];
    const names = Object.keys(given);
    const verb = { insert: 'create', update: 'update', delete: 'delete' }[operation];
    const query = `mutation(${names.map((name) => `$${name}: ${given[name]![0]}`).join(', ')}) {
      it: ${verb}${type}(${names.map((name) => `${name}: $${name}`).join(', ')})${operation === 'delete' ? '' : ` { ${fields} }`} }`;
    const variables = Object.fromEntries(names.map((name) => [name, given[name]![1]]));
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return this.#send(instance, 'POST', '/graphql', { token, body: { query, variables }, headers });
  }

  /** Undefined: nobody knows what became of it. */
  async #send(
    instance: Instance,
    method: string,
    path: string,
    asked: Parameters<Client['send']>[2] = {},
  ): Promise<Answer | undefined> {
    const headers = { ...asked.headers, ...(this.#token !== undefined && { 'consistency-token': this.#token }) };
    const answer = await this.#client
      .send(method, instance.origin + path, { ...asked, headers })
      .catch(() => undefined);
    const token = answer?.headers['consistency-token'];
    if (typeof token === 'string') this.#token = token;
    if (answer && path !== '/graphql' && !isValid(answer)) this.invalid.push(`${answer.status} ${answer.text}`);
    return answer;
  }
}

const METHODS = { insert: 'POST', update: 'PATCH', delete: 'DELETE' } as const;

function restOutcome({ status, text }: Answer): Outcome {
  const data = text === '' ? undefined : JSON.parse(text);
  return status < 300 ? { status, data } : { status, code: data.code };
}

function graphqlOutcome({ status, text }: Answer): Outcome {
  const { data, errors, code } = JSON.parse(text);
  // What refuses a request before it is read answers with a problem.
  if (code !== undefined) return { status, code };
  const [error] = errors ?? [];
  if (!error) return { status, data: data.it };
  return { status: error.extensions?.status ?? status, code: error.extensions?.code };
}

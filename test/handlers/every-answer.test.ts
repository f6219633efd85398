import { randomUUID } from 'node:crypto';
import { buildSchema, type GraphQLField, getNamedType, isInputObjectType, isLeafType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { baseUrlOf, sampleRequests } from '../../src/compiler/emit/sample-requests.ts';
import { sdkDocuments } from '../../src/compiler/emit/sdk/sdk-documents.ts';
import type { ContractModel } from '../../src/compiler/model/model.ts';
import { type OperationDescriptor, operationWithId } from '../../src/descriptor/rest.ts';
import { handlers } from '../../src/handlers/index.ts';
import type { ServerOptions } from '../../src/runtime/server.ts';
import type { Store } from '../../src/runtime/storage/store.ts';
import { StoreError, type StoreFailure } from '../../src/runtime/storage/store-error.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { databases, type TestDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type Reply, type Service, startService } from '../support/service.ts';
import { admin, type Caller, customer, type Json, stranger } from '../support/storefront.ts';
import { argumentsIn, callOf, codeOfCall } from '../support/tools.ts';
import { graphqlTransports } from '../support/transports.ts';

const { model } = (await modelContract('contracts')) as { model: ContractModel };
const { operations } = model.rest;
const samples = new Map(sampleRequests(model).map((sample) => [sample.operationId, sample]));
const BASE = new URL(baseUrlOf(model.document)).pathname;

const socket = graphqlTransports.find(({ name }) => name === 'WebSocket')!;

/** How the database fails, while it does. */
type Failure = StoreFailure['kind'] | 'unknown';

/** A store that can be made to fail. */
function failing(store: Store, failure: () => Failure | undefined): Store {
  const check = (): void => {
    const kind = failure();
    if (kind === 'unknown') throw new Error('the database has failed in a way that nobody knows');
    if (kind !== undefined) throw new StoreError({ kind } as StoreFailure, undefined);
  };
  const methods = new Set([
    'get',
    'list',
    'count',
    'getEach',
    'listEach',
    'countEach',
    'totals',
    'transaction',
    'ping',
  ]);
  return new Proxy(store, {
    get(target, name) {
      if (name === 'reads') return () => failing(store, failure);
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (!methods.has(String(name))) return value.bind(target);
      return (...args: unknown[]) => {
        check();
        return Reflect.apply(value, target, args);
      };
    },
  });
}

/** A server with one row of everything, and a database that fails on demand. */
class Stage {
  failure: Failure | undefined;
  readonly service: Service;
  readonly #database: TestDatabase;
  /** Ids by path parameter. */
  params: Record<string, string> = {};

  private constructor(service: Service, database: TestDatabase, failure: { of?: Stage }) {
    this.service = service;
    this.#database = database;
    failure.of = this;
  }

  static async open(
    options: Partial<ServerOptions> = {},
    code: AnyHandlers = handlers as unknown as AnyHandlers,
  ): Promise<Stage> {
    const database = await databases[0]!.open(model.resources);
    const holder: { of?: Stage } = {};
    const store = failing(database.store, () => holder.of?.failure);
    const service = await startService('contracts', databases[0]!, code, { store, ...options });
    return new Stage(service, database, holder);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.#database.close();
  }

  send(
    method: string,
    path: string,
    as: Caller | undefined,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return this.service.request(method, BASE + path, {
      ...(as && { as: { sub: as.subject, scope: as.scope } }),
      ...(body !== undefined && { body }),
      headers,
    });
  }

  async made(path: string, as: Caller, body: object): Promise<Json> {
    const { status, body: row } = await this.send('POST', path, as, body);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(row)}`);
    return row;
  }

  product(values: object = {}): Promise<Json> {
    const delivery = { kind: 'PHYSICAL', weightGrams: 1 };
    return this.made('/products', admin, {
      sku: `ALL-${randomUUID().slice(0, 8).toUpperCase()}`,
      name: 'Mug',
      price: 1,
      currency: 'EUR',
      stock: 9,
      delivery,
      ...values,
    });
  }

  async active(values: object = {}): Promise<Json> {
    const { id } = await this.product(values);
    return (await this.send('PATCH', `/products/${id}`, admin, { status: 'ACTIVE' })).body;
  }

  async populate(): Promise<void> {
    const user = await this.made('/users', customer, { email: 'ada@example.com', name: 'Ada' });
    await this.made('/users', stranger, { email: 'eve@example.com', name: 'Eve' });
    const { id: productId } = await this.active();
    const { id: reviewId } = await this.made(`/products/${productId}/reviews`, customer, { rating: 4, title: 'Fine' });
    const { id: orderId } = await this.made('/orders', customer, {});
    const { id: itemId } = await this.made(`/orders/${orderId}/items`, customer, { productId, quantity: 1 });
    this.params = { userId: user.id, productId, reviewId, orderId, itemId };
  }

  /** The path of an operation, `changed` parameters aside. */
  path({ path }: Pick<OperationDescriptor, 'path'>, changed: Record<string, string> = {}): string {
    return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => ({ ...this.params, ...changed })[name]!);
  }

  /** Asks for an operation as its examples do. */
  ask(
    operation: OperationDescriptor,
    ask: {
      query?: string;
      as?: Caller | undefined;
      body?: unknown;
      headers?: Record<string, string>;
      changed?: Record<string, string>;
    } = {},
  ): Promise<Reply> {
    const { operationId, method } = operation;
    const sample = samples.get(operationId)!.body;
    const body = 'body' in ask ? ask.body : sample && JSON.parse(sample.text);
    const as = 'as' in ask ? ask.as : admin;
    return this.send(
      method.toUpperCase(),
      `${this.path(operation, ask.changed)}${ask.query ?? ''}`,
      as,
      body,
      ask.headers,
    );
  }
}

const lastParameter = ({ path }: Pick<OperationDescriptor, 'path'>): string =>
  [...path.matchAll(/\{([^}]+)\}/g)].at(-1)![1]!;
const isBatch = ({ operationId }: Pick<OperationDescriptor, 'operationId'>): boolean => operationId === 'batchProducts';
/** Items of which the only one fails. */
const missing = () => [{ delete: { id: MISSING } }];
const stale = ({ params }: Stage) => [{ update: { id: params['productId'], input: {}, ifVersion: 99 } }];
const declares = (code: string) => operations.filter(({ errorCodes }) => errorCodes?.includes(code));
const nobody = { ...customer, scope: '' };
const MISSING = '01941f29-7c00-7a10-8c57-0000000000ff';

describe('every operation', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open({ http: { maxBodyBytes: 20_000 } });
    await stage.populate();
  });
  afterAll(() => stage.close());

  const codeOf = ({ body }: Reply): string => body?.code;
  const each = (code: string, ask: (operation: OperationDescriptor) => Promise<Reply>) =>
    it.each(declares(code).map((operation) => [operation.operationId, operation] as const))(
      `answers ${code}: %s`,
      async (_id, operation) => {
        expect(codeOf(await ask(operation))).toBe(code);
      },
    );

  each('VALIDATION_FAILED', (operation) => stage.ask(operation, { query: '?no-such-parameter=1' }));
  each('MALFORMED_REQUEST', (operation) =>
    operation.requestBody ? stage.ask(operation, { body: '{' }) : stage.ask(operation, { query: '?%zz=1' }),
  );
  each('INVALID_CURSOR', (operation) => stage.ask(operation, { query: '?cursor=AAAA' }));
  each('UNAUTHENTICATED', (operation) => stage.ask(operation, { as: undefined }));
  each('FORBIDDEN', (operation) => stage.ask(operation, { as: nobody }));
  each('NOT_ACCEPTABLE', (operation) => stage.ask(operation, { headers: { accept: 'image/png' } }));
  each('NOT_FOUND', (operation) =>
    isBatch(operation)
      ? stage.ask(operation, { body: { items: missing() } })
      : stage.ask(operation, { changed: { [lastParameter(operation)]: MISSING } }),
  );
  each('PRECONDITION_FAILED', (operation) =>
    isBatch(operation)
      ? stage.ask(operation, { body: { items: stale(stage) } })
      : stage.ask(operation, { headers: { 'if-match': '"99"' } }),
  );
  each('CONTENT_TOO_LARGE', (operation) => stage.ask(operation, { body: { filling: 'x'.repeat(30_000) } }));
  each('UNSUPPORTED_MEDIA_TYPE', (operation) =>
    stage.ask(operation, { body: 'text', headers: { 'content-type': 'text/plain' } }),
  );
  each('IDEMPOTENCY_KEY_REUSED', async (operation) => {
    const headers = { 'idempotency-key': `reused-${operation.operationId}` };
    const fresh = bodiesOf(operation.operationId);
    await stage.ask(operation, { body: await fresh(stage), headers });
    return stage.ask(operation, { body: await fresh(stage, true), headers });
  });
  each('CONFLICT', async (operation) => {
    let tried = 0;
    // On a busy machine, each may be answered before the next has its turn.
    return eventually(async () => {
      const headers = { 'idempotency-key': `twice-${operation.operationId}-${tried++}` };
      const body = await bodiesOf(operation.operationId)(stage);
      const replies = await Promise.all([1, 2, 3, 4].map(() => stage.ask(operation, { body, headers })));
      const refused = replies.find((reply) => codeOf(reply) === 'CONFLICT');
      return refused ?? expect.unreachable('none was refused');
    });
  });

  describe('with a database that', () => {
    const whenIt = (failure: Failure, code: string) =>
      it.each(declares(code).map((operation) => [operation.operationId, operation] as const))(
        `is ${failure}: %s`,
        async (_id, operation) => {
          stage.failure = failure;
          try {
            // A list that is known is answered without a database.
            const query =
              operation.method === 'get' && operation.parameters.some(({ name }) => name === 'limit')
                ? `?limit=${1 + [...failure].length}`
                : '';
            expect(codeOf(await stage.ask(operation, { query }))).toBe(code);
          } finally {
            stage.failure = undefined;
          }
        },
      );
    whenIt('unavailable', 'SERVICE_UNAVAILABLE');
    whenIt('full', 'INSUFFICIENT_STORAGE');
    whenIt('unknown', 'INTERNAL_ERROR');
  });

  it.each(
    operations
      .filter(({ responses }) => '304' in responses)
      .map((operation) => [operation.operationId, operation] as const),
  )('answers 304: %s', async (_id, operation) => {
    const { headers } = await stage.ask(operation);
    expect((await stage.ask(operation, { headers: { 'if-none-match': String(headers['etag']) } })).status).toBe(304);
  });
});

/** Inputs that can be created, a second time with another value. */
function bodiesOf(operationId: string): (stage: Stage, isOther?: boolean) => Promise<object> {
  const delivery = { kind: 'PHYSICAL', weightGrams: 1 };
  const price = (isOther = false) => (isOther ? 2 : 1);
  const bodies: Record<string, (stage: Stage, isOther?: boolean) => Promise<object>> = {
    createUser: async (_stage, isOther) => ({ email: `${randomUUID()}@example.com`, name: isOther ? 'B' : 'A' }),
    createProduct: async (_stage, isOther) => ({
      sku: `KEY-${price(isOther)}`,
      name: 'Mug',
      price: price(isOther),
      currency: 'EUR',
      delivery,
    }),
    batchProducts: async (_stage, isOther) => ({
      items: [
        { create: { input: { sku: `BATCH-${price(isOther)}`, name: 'Mug', price: 1, currency: 'EUR', delivery } } },
      ],
    }),
    createReview: async (_stage, isOther) => ({ rating: price(isOther), title: 'Fine', userId: stranger.subject }),
    createOrder: async (_stage, isOther) => ({ note: isOther ? 'B' : 'A', userId: customer.subject }),
    createItem: async ({ params }, isOther) => ({ productId: params['productId'], quantity: price(isOther) }),
  };
  return bodies[operationId]!;
}

/** Changes that succeed. */
const SMALL: Readonly<Record<string, object>> = {
  updateUser: { name: 'Grace' },
  updateProduct: { name: 'Cup' },
  updateReview: { rating: 5 },
  updateOrder: { note: 'Ring twice' },
  updateItem: { quantity: 2 },
};

describe('totals', () => {
  it('of more rows than the contract allows answer LIMIT_EXCEEDED', async () => {
    const resources = model.resources.map(({ further = [], ...resource }) => ({
      ...resource,
      further: further.map((one) => ('maxRows' in one ? { ...one, maxRows: 0 } : one)),
    }));
    const stage = await Stage.open({ contract: { ...model, resources } });
    await stage.populate();
    const totals = operationWithId(operations, 'totalOrders');
    expect((await stage.ask(totals)).body.code).toBe('LIMIT_EXCEEDED');
    const as = { sub: admin.subject, scope: admin.scope };
    const { errors } = await stage.service.graphql(totalsOf('orderTotals'), { as });
    expect(errors?.[0]?.extensions.code).toBe('LIMIT_EXCEEDED');
    const body = callOf('totalOrders', { measures: ['count'] });
    expect(codeOfCall(await stage.service.request('POST', '/mcp', { as, body }))).toBe('LIMIT_EXCEEDED');
    await stage.close();
  });
});

describe('related rows', () => {
  it('that cost more than the contract allows answer LIMIT_EXCEEDED', async () => {
    const { descriptor, ...sdl } = model.graphql!;
    const limits = { ...descriptor.limits, cost: 10 };
    const stage = await Stage.open({
      contract: { ...model, graphql: { ...sdl, descriptor: { ...descriptor, limits } } },
    });
    await stage.populate();
    const as = { sub: admin.subject, scope: admin.scope };
    for (const operationId of ['listOrders', 'getOrder']) {
      const operation = operationWithId(operations, operationId);
      expect((await stage.ask(operation, { query: '?include=items' })).body.code).toBe('LIMIT_EXCEEDED');
      const given = argumentsIn({ contract: model }, operationId, stage.path(operation));
      const body = callOf(operationId, { ...given, include: ['items'] });
      expect(codeOfCall(await stage.service.request('POST', '/mcp', { as, body }))).toBe('LIMIT_EXCEEDED');
    }
    for (const field of [
      'orders(first: 50) { nodes { id } }',
      `order(id: "${MISSING}") { items(first: 50) { nodes { id } } }`,
    ]) {
      const { errors } = await stage.service.graphql(`{ ${field} }`, { as });
      expect(errors?.[0]?.extensions.code).toBe('LIMIT_EXCEEDED');
    }
    await stage.close();
  });
});

describe('a server', () => {
  it('that has counted enough answers TOO_MANY_REQUESTS to every operation', async () => {
    const stage = await Stage.open({ requestsPerMinute: 1 });
    await stage.ask(operations[0]!);
    await stage.send('GET', '/products', undefined);
    for (const operation of operations)
      expect([operation.operationId, (await stage.ask(operation)).body.code]).toEqual([
        operation.operationId,
        'TOO_MANY_REQUESTS',
      ]);
    await stage.close();
  });

  it('without code answers NOT_IMPLEMENTED to custom operations', async () => {
    const stage = await Stage.open({ allowMissing: true }, {});
    stage.params = { productId: MISSING };
    for (const operation of declares('NOT_IMPLEMENTED'))
      expect((await stage.ask(operation)).body.code).toBe('NOT_IMPLEMENTED');
    await stage.close();
  });
});

interface FieldCase {
  readonly coordinate: string;
  readonly codes: readonly string[];
  readonly text: string;
  readonly field: GraphQLField<unknown, unknown>;
}

const schema = buildSchema(model.graphql!.sdl, { assumeValid: true });
const { script } = await sdkDocuments(model.graphql!);
const texts = new Map(
  [...script.matchAll(/(?:document|creating)\(("(?:[^"\\]|\\.)*")\)/g)].map(([, literal]) => {
    const text = JSON.parse(literal!) as string;
    return [/^\w+ \w+/.exec(text)![0], text];
  }),
);

/** The client has no document for totals, as callers choose what they select. */
const totalsOf = (name: string): string =>
  `query Totals($first: Int) { ${name}(first: $first) { nodes { count } hasMore } }`;

/** Nor for batches, whose items are their own. */
const BATCH =
  'mutation Batch($items: [ProductBatchItem!] = []) { batchProducts(items: $items) { results { status product { id } } } }';

const fieldCases: readonly FieldCase[] = Object.entries(model.graphql!.descriptor.fields).flatMap(
  ([coordinate, descriptor]) => {
    const [type, name] = coordinate.split('.') as [string, string];
    if (type !== 'Query' && type !== 'Mutation') return [];
    const action =
      'resource' in descriptor
        ? model.resources.find(({ key }) => key === descriptor.resource)!.actions[descriptor.kind as 'get']
        : undefined;
    const isFurther = descriptor.kind === 'totals' || descriptor.kind === 'batch';
    const asked = isFurther ? descriptor.operationId : action?.operationId;
    const operation = model.operations.find(({ operationId }) => operationId === asked);
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    const root = type === 'Query' ? schema.getQueryType()! : schema.getMutationType()!;
    return [
      {
        coordinate,
        codes: operation?.errorCodes ?? [],
        text: texts.get(`${type.toLowerCase()} ${title}`) ?? (descriptor.kind === 'batch' ? BATCH : totalsOf(name)),
        field: root.getFields()[name]!,
      },
    ];
  },
);

/** Only what changes something takes a version. */
const promises =
  (code: string) =>
  ({ codes, coordinate }: FieldCase): boolean =>
    codes.includes(code) && !(code === 'PRECONDITION_FAILED' && coordinate.startsWith('Query.'));

describe('every field', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open();
    await stage.populate();
  });
  afterAll(() => stage.close());

  /** Variables that the field takes: ids of rows that are there, and inputs of the fewest values. */
  const variablesOf = ({ field, coordinate }: FieldCase): Record<string, unknown> => {
    const { params } = stage;
    const own = {
      Order: params['orderId'],
      Product: params['productId'],
      Review: params['reviewId'],
      User: params['userId'],
      OrderItem: params['itemId'],
    };
    const type = coordinate.split('.')[1]!.replace(/^(?:create|replace|update|delete)/, '');
    const id = own[(type.charAt(0).toUpperCase() + type.slice(1)) as keyof typeof own];
    const values: Record<string, unknown> = {
      id,
      orderId: params['orderId'],
      productId: params['productId'],
      ifVersion: undefined,
    };
    return Object.fromEntries(
      field.args.flatMap(({ name, type: argument }) => {
        const named = getNamedType(argument);
        if (name === 'items') return [[name, [{ create: { input: smallest('ProductInput') } }]]];
        if (name === 'input' && isInputObjectType(named)) return [[name, smallest(named.name)]];
        return values[name] === undefined || !isLeafType(named) ? [] : [[name, values[name]]];
      }),
    );
  };
  const smallest = (type: string): object =>
    ({
      UserInput: { email: 'new@example.com', name: 'New' },
      ProductInput: { sku: 'NEW', name: 'New', price: 1, currency: 'EUR', delivery: { physical: { weightGrams: 1 } } },
      ReviewInput: { rating: 1, title: 'New' },
      OrderItemInput: { productId: stage.params['productId'], quantity: 1 },
    })[type] ?? {};
  const ask = (field: FieldCase, changed: object = {}, as: Caller | undefined = admin) =>
    stage.service.graphql(field.text, {
      variables: { ...variablesOf(field), ...changed },
      ...(as && { as: { sub: as.subject, scope: as.scope } }),
    });
  const codeIn = async (reply: ReturnType<typeof ask>): Promise<string | undefined> =>
    (await reply).errors?.[0]?.extensions.code;

  const each = (code: string, reply: (field: FieldCase) => ReturnType<typeof ask>) =>
    it.each(fieldCases.filter(promises(code)).map((field) => [field.coordinate, field] as const))(
      `answers ${code}: %s`,
      async (_coordinate, field) => {
        expect(await codeIn(reply(field))).toBe(code);
      },
    );

  each('VALIDATION_FAILED', (field) => ask({ ...field, text: field.text.replace('{', '{ nothing') }));
  each('INVALID_CURSOR', (field) => ask(field, { after: 'AAAA' }));
  each('UNAUTHENTICATED', (field) => ask(field, {}, null as unknown as Caller));
  each('FORBIDDEN', (field) => ask(field, {}, nobody));
  each('NOT_FOUND', (field) =>
    ask(
      field,
      field.text === BATCH
        ? { items: missing() }
        : field.field.args.some(({ name }) => name === 'id')
          ? { id: MISSING }
          : { orderId: MISSING, productId: MISSING },
    ),
  );
  each('PRECONDITION_FAILED', (field) =>
    ask(field, field.text === BATCH ? { items: stale(stage) } : { ifVersion: 99 }),
  );

  describe('with a database that', () => {
    const whenIt = (failure: Failure, code: string) =>
      it.each(
        fieldCases.filter(({ codes }) => codes.includes(code)).map((field) => [field.coordinate, field] as const),
      )(`is ${failure}: %s`, async (_coordinate, field) => {
        stage.failure = failure;
        try {
          expect(
            await codeIn(
              ask(field, field.field.args.some(({ name }) => name === 'first') ? { first: failure.length } : {}),
            ),
          ).toBe(code);
        } finally {
          stage.failure = undefined;
        }
      });
    whenIt('unavailable', 'SERVICE_UNAVAILABLE');
    whenIt('full', 'INSUFFICIENT_STORAGE');
    whenIt('unknown', 'INTERNAL_ERROR');
  });

  it('answers TOO_MANY_REQUESTS', async () => {
    const limited = await Stage.open({ requestsPerMinute: 1 });
    const send = ({ text }: FieldCase) =>
      limited.service.graphql(text, { as: { sub: admin.subject, scope: admin.scope } });
    await send(fieldCases[0]!);
    for (const field of fieldCases)
      expect([field.coordinate, await codeIn(send(field))]).toEqual([field.coordinate, 'TOO_MANY_REQUESTS']);
    await limited.close();
  });

  it('answers TOO_MANY_REQUESTS over a socket, where each operation is counted', async () => {
    const limited = await Stage.open({ requestsPerMinute: 1 });
    const port = await limited.service.listen();
    const send = ({ text }: FieldCase) => socket.send(port, { query: text }, admin);
    await send(fieldCases[0]!);
    for (const field of fieldCases)
      expect([field.coordinate, (await send(field)).errors?.[0]?.extensions.code]).toEqual([
        field.coordinate,
        'TOO_MANY_REQUESTS',
      ]);
    await limited.close();
  });
});

interface ToolAsk {
  /** In addition to the path parameters, and the input of the examples. */
  readonly args?: object;
  readonly as?: Caller | undefined;
  readonly input?: unknown;
}

describe('every tool', () => {
  let stage: Stage;
  const offered = model.tools!.tools.map(({ name, operationId, annotations }) => ({
    name,
    operation: operationWithId(operations, operationId),
    isRead: annotations.readOnlyHint,
  }));
  type Offered = (typeof offered)[number];

  beforeAll(async () => {
    stage = await Stage.open();
    await stage.populate();
  });
  afterAll(() => stage.close());

  async function ask(of: Stage, { name, operation }: Offered, { args = {}, ...more }: ToolAsk = {}): Promise<string> {
    const sample = samples.get(operation.operationId)!.body;
    const input = 'input' in more ? more.input : sample && JSON.parse(sample.text);
    const given = { ...argumentsIn({ contract: model }, operation.operationId, of.path(operation)), ...args };
    const as = 'as' in more ? more.as : admin;
    return codeOfCall(
      await of.service.request('POST', '/mcp', {
        body: callOf(name, { ...given, ...(input !== undefined && { input }) }),
        ...(as && { as: { sub: as.subject, scope: as.scope } }),
      }),
    );
  }

  const promising = (code: string) =>
    offered.filter(
      ({ operation: { errorCodes }, isRead }) =>
        errorCodes?.includes(code) && !(isRead && code === 'PRECONDITION_FAILED'),
    );
  const each = (code: string, answer: (tool: Offered) => Promise<string>) =>
    it.each(promising(code).map((tool) => [tool.name, tool] as const))(`answers ${code}: %s`, async (_name, tool) => {
      expect(await answer(tool)).toBe(code);
    });

  each('VALIDATION_FAILED', (tool) => ask(stage, tool, { args: { 'no-such-argument': 1 } }));
  each('INVALID_CURSOR', (tool) => ask(stage, tool, { args: { cursor: 'AAAA' } }));
  each('UNAUTHENTICATED', (tool) => ask(stage, tool, { as: undefined }));
  each('FORBIDDEN', (tool) => ask(stage, tool, { as: nobody }));
  each('NOT_FOUND', (tool) => ask(stage, tool, { args: { [lastParameter(tool.operation)]: MISSING } }));
  each('PRECONDITION_FAILED', (tool) => ask(stage, tool, { args: { ifVersion: 99 } }));
  each('IDEMPOTENCY_KEY_REUSED', async (tool) => {
    const args = { idempotencyKey: `tool-reused-${tool.name}` };
    const fresh = bodiesOf(tool.operation.operationId);
    expect(await ask(stage, tool, { args, input: await fresh(stage) })).toBe('OK');
    return ask(stage, tool, { args, input: await fresh(stage, true) });
  });
  each('CONFLICT', async (tool) => {
    let tried = 0;
    // On a busy machine, each may be answered before the next has its turn.
    return eventually(async () => {
      const args = { idempotencyKey: `tool-twice-${tool.name}-${tried++}` };
      const input = await bodiesOf(tool.operation.operationId)(stage);
      const codes = await Promise.all([1, 2, 3, 4].map(() => ask(stage, tool, { args, input })));
      return codes.find((code) => code === 'CONFLICT') ?? expect.unreachable('none was refused');
    });
  });

  /** Creations succeed above, before their keys are used again. */
  const created = promising('IDEMPOTENCY_KEY_REUSED');
  const others = offered.filter((tool) => !created.includes(tool));
  it.each(others.map((tool) => [tool.name, tool] as const))('succeeds: %s', async (name, tool) => {
    const input = SMALL[name];
    expect(await ask(stage, tool, input ? { input } : {})).toBe('OK');
  });

  describe('with a database that', () => {
    const whenIt = (failure: Failure, code: string) =>
      it.each(promising(code).map((tool) => [tool.name, tool] as const))(`is ${failure}: %s`, async (_name, tool) => {
        stage.failure = failure;
        try {
          // A list that is known is answered without a database.
          const isList = tool.isRead && tool.operation.parameters.some(({ name }) => name === 'limit');
          expect(await ask(stage, tool, isList ? { args: { limit: 1 + failure.length } } : {})).toBe(code);
        } finally {
          stage.failure = undefined;
        }
      });
    whenIt('unavailable', 'SERVICE_UNAVAILABLE');
    whenIt('full', 'INSUFFICIENT_STORAGE');
    whenIt('unknown', 'INTERNAL_ERROR');
  });

  it('without code answers NOT_IMPLEMENTED', async () => {
    const empty = await Stage.open({ allowMissing: true }, {});
    empty.params = { productId: MISSING };
    for (const tool of promising('NOT_IMPLEMENTED')) expect(await ask(empty, tool)).toBe('NOT_IMPLEMENTED');
    await empty.close();
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../../src/tools/random.ts';
import { eventually } from '../../support/eventually.ts';
import type { Instance } from '../../support/instance.ts';
import type { Json } from '../../support/storefront.ts';
import { productInput } from '../support/shop.ts';
import type { Attempt, History } from './history.ts';
import { type Change, type Protocol, Requests } from './requests.ts';

const WORKERS = 10;
const PRODUCTS = 4;
const CROWD = 8;
/** Units of an item, which are its mark in its order. */
const MAX_UNITS = 1_000;

interface OwnOrder {
  readonly id: string;
  units: number;
}

/** Clients that create, change, delete and read over both protocols, at any instance, until it is over. */
export class Workload {
  readonly products: string[] = [];
  readonly #history: History;
  readonly #instances: readonly Instance[];
  readonly #working: Promise<void>[] = [];
  readonly #setup: Worker;
  readonly #seed: number;
  isOver = false;

  constructor(instances: readonly Instance[], history: History, seed: number) {
    this.#instances = instances;
    this.#history = history;
    this.#seed = seed;
    this.#setup = new Worker('setup', this, instances, history, new Random(seed));
  }

  async start(): Promise<void> {
    for (let i = 0; i < PRODUCTS; i++) this.products.push(await this.#setup.activeProduct());
    for (let i = 1; i <= WORKERS; i++) {
      const worker = new Worker(`${i}`, this, this.#instances, this.#history, new Random(this.#seed + i));
      const working = worker.run().catch((error) => void this.#history.invalid.push(String(error)));
      this.#working.push(working.finally(() => worker.close()));
    }
  }

  /** Resolves when all requests are answered. */
  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.#working);
  }

  /** Changes a product at an instance. */
  touch(product: string, instance: Instance): Promise<Attempt> {
    return eventually(async () => {
      const attempt = await this.#setup.update(product, instance, 'REST');
      if (attempt.outcome !== 'done') throw new Error(`${instance.origin} has not changed ${product}.`);
      return attempt;
    });
  }

  /** Reads all products at an instance. */
  readAll(instance: Instance): Promise<void> {
    return this.#setup.list(instance);
  }

  close(): void {
    this.#setup.close();
  }
}

class Worker {
  readonly #name: string;
  readonly #workload: Workload;
  readonly #instances: readonly Instance[];
  readonly #history: History;
  readonly #random: Random;
  readonly #requests: Requests;
  readonly #orders: OwnOrder[] = [];
  /** The last version of each row that was acknowledged. */
  readonly #known = new Map<string, number | 'deleted'>();
  #marks = 0;

  constructor(name: string, workload: Workload, instances: readonly Instance[], history: History, random: Random) {
    this.#name = name;
    this.#workload = workload;
    this.#instances = instances;
    this.#history = history;
    this.#random = random;
    this.#requests = new Requests(history.invalid);
  }

  async run(): Promise<void> {
    const acts = [
      ...[this.#createOrder, this.#createOrder, this.#updateProduct, this.#updateProduct, this.#updateProduct],
      ...[this.#createItem, this.#createItem, this.#updateOrder, this.#deleteOrder, this.#createProduct, this.#crowd],
      ...[this.#readProduct, this.#readOrder, () => this.list(this.#instance())],
    ];
    while (!this.#workload.isOver) await this.#random.pick(acts).call(this);
  }

  close(): void {
    this.#requests.close();
  }

  async activeProduct(): Promise<string> {
    const { id } = (await this.#repeated(this.#newProduct(this.#mark(), 1_000_000)))!.body;
    await this.update(id, this.#instance(), 'REST', { status: 'ACTIVE' });
    return id;
  }

  update(
    id: string,
    instance: Instance,
    protocol: Protocol,
    values: object = {},
    ifVersion?: number,
  ): Promise<Attempt> {
    const mark = this.#mark();
    const input = { name: mark, description: mark, ...values };
    return this.#once(instance, protocol, { table: 'products', operation: 'update', mark, id, input, ifVersion });
  }

  /** Products that all workers change are never deleted: each must be on the first page. */
  async list(instance: Instance): Promise<void> {
    const atLeast = new Map(this.#known);
    const found = await this.#requests.read(instance, '/v1/products?limit=100');
    if (found?.status !== 200) return;
    for (const id of this.#workload.products) {
      const body = found.body.data.find((one: Json) => one.id === id);
      this.#history.reads.push({ how: 'listed', id, atLeast: atLeast.get(id), body });
    }
  }

  async #createOrder(): Promise<void> {
    const mark = this.#mark();
    const created = await this.#repeated({
      table: 'orders',
      operation: 'insert',
      mark,
      input: { note: mark },
      key: mark,
    });
    if (created) this.#orders.push({ id: created.body.id, units: 0 });
  }

  async #createItem(): Promise<void> {
    const order = this.#anOrder();
    if (!order || order.units === MAX_UNITS) return;
    const quantity = ++order.units;
    const input = { productId: this.#random.pick(this.#workload.products), quantity };
    const mark = `${order.id}:${quantity}`;
    await this.#repeated({ table: 'orders_items', operation: 'insert', mark, orderId: order.id, input, key: mark });
  }

  async #createProduct(): Promise<void> {
    await this.#once(this.#instance(), 'REST', this.#newProduct(this.#mark(), 0));
  }

  async #updateProduct(): Promise<void> {
    const id = this.#random.pick(this.#workload.products);
    const ifVersion = this.#random.chance(0.5) ? (await this.#read('products', id))?.version : undefined;
    await this.update(id, this.#instance(), this.#protocol(), {}, ifVersion);
  }

  /** Many changes of one row at one instance wait for each other. */
  async #crowd(): Promise<void> {
    const [id, instance] = [this.#random.pick(this.#workload.products), this.#instance()];
    await Promise.all(Array.from({ length: CROWD }, () => this.update(id, instance, this.#protocol())));
  }

  async #updateOrder(): Promise<void> {
    const id = this.#anOrder()?.id;
    if (id === undefined) return;
    const ifVersion = this.#random.chance(0.5) ? (await this.#read('orders', id))?.version : undefined;
    const mark = this.#mark();
    const change: Change = { table: 'orders', operation: 'update', mark, id, input: { note: mark }, ifVersion };
    await this.#once(this.#instance(), this.#protocol(), change);
  }

  async #deleteOrder(): Promise<void> {
    if (this.#orders.length < 3) return;
    const [{ id }] = this.#orders.splice(this.#random.below(this.#orders.length), 1) as [OwnOrder];
    const ifVersion = this.#random.chance(0.3) ? (await this.#read('orders', id))?.version : undefined;
    const change: Change = { table: 'orders', operation: 'delete', mark: this.#mark(), id, ifVersion };
    const { outcome } = await this.#once(this.#instance(), this.#protocol(), change);
    if (outcome === 'done') this.#known.set(id, 'deleted');
    await this.#read('orders', id);
  }

  async #readProduct(): Promise<void> {
    await this.#read('products', this.#random.pick(this.#workload.products));
  }

  async #readOrder(): Promise<void> {
    const order = this.#anOrder();
    if (order) await this.#read('orders', order.id);
  }

  async #read(table: 'products' | 'orders', id: string): Promise<Json | undefined> {
    const atLeast = this.#known.get(id);
    const found = await this.#requests.read(this.#instance(), `/v1/${table}/${id}`);
    if (!found || (found.status !== 200 && found.status !== 404)) return undefined;
    const body = found.status === 200 ? found.body : undefined;
    this.#history.reads.push({ how: 'read', id, atLeast, body });
    return body;
  }

  async #once(instance: Instance, protocol: Protocol, change: Change): ReturnType<Requests['change']> {
    const attempt = await this.#requests.change(instance, protocol, change);
    this.#history.attempts.push(attempt);
    const { outcome, body } = attempt;
    if (outcome === 'done' && change.operation !== 'delete') this.#learn(body);
    if (outcome === 'unknown') await delay(50);
    return attempt;
  }

  #learn({ id, version }: Json): void {
    const known = this.#known.get(id) ?? 0;
    if (known !== 'deleted') this.#known.set(id, Math.max(known, version));
  }

  /** Tries until it is acknowledged, and sometimes asks once more: the answer must be the same. */
  async #repeated(change: Change): Promise<Attempt | undefined> {
    const protocol = change.table === 'products' ? 'REST' : this.#protocol();
    while (!this.#workload.isOver) {
      const attempt = await this.#once(this.#instance(), protocol, change);
      if (attempt.outcome === 'done') {
        if (this.#random.chance(0.3)) await this.#once(this.#instance(), protocol, change);
        return attempt;
      }
      if (attempt.outcome === 'refused' && !attempt.code?.startsWith('IDEMPOTENCY')) return undefined;
    }
    return undefined;
  }

  #newProduct(mark: string, stock: number): Change {
    const input = productInput({ name: mark, description: mark, stock });
    return { table: 'products', operation: 'insert', mark, input, key: mark };
  }

  #mark = (): string => `${this.#name}-${++this.#marks}`;
  #instance = (): Instance => this.#random.pick(this.#instances);
  #protocol = (): Protocol => this.#random.pick(['REST', 'GraphQL']);
  #anOrder = (): OwnOrder | undefined => (this.#orders.length > 0 ? this.#random.pick(this.#orders) : undefined);
}

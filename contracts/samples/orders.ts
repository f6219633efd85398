import type { Resources } from '../../generated/handlers.ts';
import type { Random } from '../../src/tools/random.ts';
import { uuidAt } from '../../src/tools/uuid.ts';
import type { Product } from './products.ts';
import type { User } from './users.ts';

export type Order = Resources['orders']['resource'];
export type OrderItem = Resources['orders.items']['resource'];

/** An order and its items. */
export interface Purchase {
  readonly order: Order;
  readonly items: readonly OrderItem[];
}

const FIRST_MS = Date.UTC(2025, 8, 1);
const MINUTE_MS = 60_000;
/** One order each 80 minutes, for ten months. */
const INTERVAL_MS = 80 * MINUTE_MS;
/** Changes of an order on the way to each state, after its items. */
const STEPS = { PENDING: 0, PAID: 1, CANCELLED: 1, SHIPPED: 2, DELIVERED: 3 } as const;
/** Share of the orders in each state. */
const STATUSES = [
  ...Array<'DELIVERED'>(6).fill('DELIVERED'),
  ...(['PENDING', 'PENDING', 'PAID', 'SHIPPED', 'CANCELLED'] as const),
] as const;

/** Orders in order of time, by all users; the last one is `PENDING` and the first user's. */
export function makePurchases(
  count: number,
  products: readonly Product[],
  users: readonly User[],
  random: Random,
): Purchase[] {
  const shelves = makeShelves(products);
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1;
    const user = isLast ? users[0]! : random.pick(users);
    const status = isLast ? 'PENDING' : random.pick(STATUSES);
    const basket = random.sample(random.pick(status === 'PENDING' ? shelves.now : shelves.ever), random.integer(1, 4));
    return makePurchase(user, status, basket, FIRST_MS + index * INTERVAL_MS, random);
  });
}

/** Products of one currency each: those for sale now, and with those that were when they were not archived yet. */
function makeShelves(products: readonly Product[]): { now: Product[][]; ever: Product[][] } {
  const byCurrency = (listed: readonly Product[]) => [...Map.groupBy(listed, ({ currency }) => currency).values()];
  return {
    now: byCurrency(products.filter(({ status }) => status === 'ACTIVE')),
    ever: byCurrency(products.filter(({ status }) => status !== 'DRAFT')),
  };
}

function makePurchase(
  user: User,
  status: Order['status'],
  basket: readonly Product[],
  createdMs: number,
  random: Random,
): Purchase {
  const id = uuidAt(createdMs, random);
  const items = basket.map((product, index) => makeItem(id, product, createdMs + (index + 1) * MINUTE_MS, random));
  const changes = items.length + STEPS[status];
  const order: Order = {
    id,
    version: 1 + changes,
    createdAt: new Date(createdMs).toISOString(),
    updatedAt: new Date(createdMs + changes * MINUTE_MS).toISOString(),
    userId: user.id,
    status,
    total: items.reduce((total, item) => total + item.quantity * item.unitPrice, 0),
    currency: basket[0]!.currency,
    shippingAddress: user.address,
    note: random.chance(0.1) ? 'Please ring twice.' : null,
  };
  return { order, items };
}

function makeItem(orderId: string, product: Product, createdMs: number, random: Random): OrderItem {
  const createdAt = new Date(createdMs).toISOString();
  return {
    id: uuidAt(createdMs, random),
    version: 1,
    createdAt,
    updatedAt: createdAt,
    orderId,
    productId: product.id,
    quantity: random.integer(1, 3),
    unitPrice: product.price,
  };
}

const SOLD: ReadonlySet<Order['status']> = new Set(['PAID', 'SHIPPED', 'DELIVERED']);

/** Units sold by product id: those of orders that were paid for and not cancelled. */
export function countSold(purchases: readonly Purchase[]): ReadonlyMap<string, number> {
  const sold = new Map<string, number>();
  for (const { order, items } of purchases) {
    if (!SOLD.has(order.status)) continue;
    for (const { productId, quantity } of items) sold.set(productId, (sold.get(productId) ?? 0) + quantity);
  }
  return sold;
}

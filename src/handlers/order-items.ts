import { ApiError } from '../../generated/errors.ts';
import { checkPending } from './orders.ts';
import { takeStock } from './stock.ts';
import type { Order, OrderItem, OverridesOf, Product, Store } from './storefront.ts';

/** Items reserve stock, keep the price, and determine the total of their order. They may change while it is `PENDING`. */
export const orderItems: OverridesOf<'orders.items'> = {
  async create(input, { store, params }, next) {
    const order = await pendingOrder(store, params.orderId);
    const product = await store.products.get(input.productId);
    if (!product) throw refusedProduct('REFERENCE_NOT_FOUND', `No product has the id ${input.productId}.`);
    checkOrderable(product, order);
    await takeStock(store, product.id, input.quantity);
    const item = await next({ ...input, unitPrice: product.price });
    await store.orders.update(order.id, { total: order.total + priceOf(item), currency: product.currency });
    return item;
  },

  async replace(input, { store, current }, next) {
    const order = await pendingOrder(store, current.orderId);
    const item = await next(input);
    await follow(store, order, current, item);
    return item;
  },

  async update(patch, { store, current }, next) {
    const order = await pendingOrder(store, current.orderId);
    const item = await next(patch);
    await follow(store, order, current, item);
    return item;
  },

  async delete(_id, { store, current }, next) {
    const order = await pendingOrder(store, current.orderId);
    await next();
    await takeStock(store, current.productId, -current.quantity);
    const others = await store['orders.items'].count({ orderId: order.id });
    const currency = others === 0 ? null : order.currency;
    await store.orders.update(order.id, { total: order.total - priceOf(current), currency });
  },
};

async function pendingOrder(store: Store, orderId: string): Promise<Order> {
  const order = await store.orders.get(orderId);
  checkPending(order!);
  return order!;
}

function checkOrderable(product: Product, order: Order): void {
  if (product.status !== 'ACTIVE') throw refusedProduct('PRODUCT_NOT_ACTIVE', `The product is ${product.status}.`);
  if (order.currency !== null && order.currency !== product.currency) {
    const detail = `The order is in ${order.currency}, the product in ${product.currency}.`;
    throw refusedProduct('CURRENCY_MISMATCH', detail);
  }
}

type Refusal = 'REFERENCE_NOT_FOUND' | 'PRODUCT_NOT_ACTIVE' | 'CURRENCY_MISMATCH';

function refusedProduct(code: Refusal, detail: string): ApiError {
  return new ApiError(code, { detail, errors: [{ pointer: '/productId', code, detail }] });
}

/** Adjusts stock and total to the quantity; the price stays the same. */
async function follow(store: Store, order: Order, before: OrderItem, after: OrderItem): Promise<void> {
  if (before.quantity === after.quantity) return;
  await takeStock(store, after.productId, after.quantity - before.quantity);
  await store.orders.update(order.id, { total: order.total + priceOf(after) - priceOf(before) });
}

function priceOf({ quantity, unitPrice }: OrderItem): number {
  return quantity * unitPrice;
}

import { ApiError } from '../../generated/errors.ts';
import type { Caller } from '../index.ts';
import { book } from './stock.ts';
import type { Order, OverridesOf, Store } from './storefront.ts';

/** The status of an order changes the stock and the number of units sold. */
export const orders: OverridesOf<'orders'> = {
  async replace(input, { store, caller, current }, next) {
    const order = await next(input);
    await follow(store, caller, current, order);
    return order;
  },

  async update(patch, { store, caller, current }, next) {
    const order = await next(patch);
    await follow(store, caller, current, order);
    return order;
  },

  async delete(id, { store, current }, next) {
    checkPending(current);
    await book(store, id, { stock: 1 });
    await next();
  },
};

/** Throws `ORDER_NOT_PENDING`. */
export function checkPending({ status }: Order): void {
  if (status !== 'PENDING') throw new ApiError('ORDER_NOT_PENDING', { detail: `The order is ${status}.` });
}

async function follow(store: Store, caller: Caller, before: Order, after: Order): Promise<void> {
  if (before.status === after.status) return;
  switch (after.status) {
    case 'PAID':
      return book(store, after.id, { sold: 1 });
    case 'SHIPPED':
    case 'DELIVERED':
      return checkStaff(caller);
    case 'CANCELLED':
      return book(store, after.id, before.status === 'PAID' ? { stock: 1, sold: -1 } : { stock: 1 });
  }
}

function checkStaff({ principal }: Caller): void {
  if (!principal?.scopes.has('orders:admin')) {
    throw new ApiError('FORBIDDEN', { detail: 'Only staff (orders:admin) ship and deliver.' });
  }
}

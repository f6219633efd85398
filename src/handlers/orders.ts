import { ApiError } from '../../generated/errors.ts';
import type { Resources } from '../../generated/handlers.ts';
import type { Caller, ChangeContext } from '../index.ts';
import { sendConfirmation } from './jobs.ts';
import { book } from './stock.ts';
import type { Order, OverridesOf } from './storefront.ts';

type OrderChange = Pick<ChangeContext<Resources['orders'], Resources>, 'store' | 'caller' | 'send'>;

/** The status of an order changes the stock and the number of units sold. */
export const orders: OverridesOf<'orders'> = {
  async replace(input, { store, caller, current, send }, next) {
    const order = await next(input);
    await follow({ store, caller, send }, current, order);
    return order;
  },

  async update(patch, { store, caller, current, send }, next) {
    const order = await next(patch);
    await follow({ store, caller, send }, current, order);
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

async function follow({ store, caller, send }: OrderChange, before: Order, after: Order): Promise<void> {
  if (before.status === after.status) return;
  switch (after.status) {
    case 'PAID':
      await book(store, after.id, { sold: 1 });
      return send(sendConfirmation, { orderId: after.id });
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

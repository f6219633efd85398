import type { Handlers } from '../../generated/handlers.ts';
import { orderItems } from './order-items.ts';
import { orders } from './orders.ts';
import { getRatingSummary } from './rating-summary.ts';

/** What the shop does beyond the default actions. */
export const handlers = {
  overrides: { orders, 'orders.items': orderItems },
  operations: { getRatingSummary },
} satisfies Handlers;

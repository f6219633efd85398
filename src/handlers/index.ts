import type { Handlers } from '../../generated/handlers.ts';
import { sendConfirmation } from './jobs.ts';
import { reportLowStock } from './low-stock.ts';
import { orderItems } from './order-items.ts';
import { orders } from './orders.ts';
import { getRatingSummary } from './rating-summary.ts';
import { v0 } from './versions/v0.ts';

/** All hand-written code of the shop. */
export const handlers = {
  overrides: { orders, 'orders.items': orderItems },
  operations: { getRatingSummary },
  versions: { v0 },
  jobs: [sendConfirmation, reportLowStock],
  schedules: { lowStock: { cron: '0 3 * * *', timeZone: 'Europe/Berlin', job: reportLowStock } },
} satisfies Handlers;

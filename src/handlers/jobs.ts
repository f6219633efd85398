import { job } from '../../generated/handlers.ts';

/** Confirms an order that has been paid; here, in the log. */
export const sendConfirmation = job<{ readonly orderId: string }>('sendConfirmation', {
  key: ({ orderId }) => orderId,
  async run({ orderId }, { store, log, giveUp }) {
    const order = await store.orders.get(orderId);
    if (!order) throw giveUp('the order is gone');
    log.info({ orderId, total: order.total }, 'order confirmed');
  },
});

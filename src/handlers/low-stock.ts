import { job } from '../../generated/handlers.ts';

const LOW_STOCK = 5;

/** Reports products that are nearly sold out. */
export const reportLowStock = job('reportLowStock', {
  async run(_input, { store, log }) {
    const low = await store.products.list(
      { status: 'ACTIVE' },
      { filter: { stock: { lte: LOW_STOCK } }, sort: ['stock'], limit: 100 },
    );
    if (low.length > 0) log.info({ products: low.map(({ sku, stock }) => ({ sku, stock })) }, 'low stock');
  },
});

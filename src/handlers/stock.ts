import { ApiError } from '../../generated/errors.ts';
import type { Store } from './storefront.ts';

/**
 * Takes units of a product from stock; a negative quantity puts them back. Throws `OUT_OF_STOCK` if there are not enough.
 */
export async function takeStock(store: Store, productId: string, quantity: number): Promise<void> {
  const product = await store.products.get(productId);
  const left = product!.stock;
  if (left < quantity) throw outOfStock(left);
  if (quantity !== 0) await store.products.update(productId, { stock: left - quantity });
}

/** How an order's units change a number: 1 adds them, -1 subtracts them. */
export interface Booking {
  readonly stock?: 1;
  readonly sold?: 1 | -1;
}

/** Changes the products of an order's items, each once. */
export async function book(store: Store, orderId: string, { stock, sold }: Booking): Promise<void> {
  const ordered = new Map<string, number>();
  for await (const { productId, quantity } of store['orders.items'].each({ orderId }))
    ordered.set(productId, (ordered.get(productId) ?? 0) + quantity);
  for (const [productId, units] of ordered) {
    const product = (await store.products.get(productId))!;
    await store.products.update(productId, {
      ...(stock && { stock: product.stock + units }),
      ...(sold && { unitsSold: String(BigInt(product.unitsSold) + BigInt(sold * units)) }),
    });
  }
}

function outOfStock(left: number): ApiError {
  const detail = left === 0 ? 'None is left.' : `Only ${left} left.`;
  return new ApiError('OUT_OF_STOCK', { detail, errors: [{ pointer: '/quantity', code: 'OUT_OF_STOCK', detail }] });
}

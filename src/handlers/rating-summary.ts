import { ApiError } from '../../generated/errors.ts';
import type { Handlers } from '../../generated/handlers.ts';
import type { Store } from './storefront.ts';

interface RatingSummary {
  readonly productId: string;
  readonly count: number;
  readonly average: number | null;
  readonly distribution: number[];
}

const RATINGS = [1, 2, 3, 4, 5];

/** Count, average and distribution of each product's ratings. */
export const getRatingSummary = {
  async each(inputs, { store }) {
    const products = await store.products.list({ id: inputs.map(({ productId }) => productId) });
    const known = new Set(products.map(({ id }) => id));
    return Promise.all(
      inputs.map(async ({ productId }) => {
        const id = productId.toLowerCase();
        return known.has(id) ? summaryOf(store, id) : new ApiError('NOT_FOUND');
      }),
    );
  },
} satisfies Handlers['operations']['getRatingSummary'];

/** Reviews are counted, not read: a product may have any number of them. */
async function summaryOf(store: Store, productId: string): Promise<RatingSummary> {
  const counts = RATINGS.map((rating) => store['products.reviews'].count({ productId, rating }));
  return summary(productId, await Promise.all(counts));
}

function summary(productId: string, distribution: number[]): RatingSummary {
  const count = distribution.reduce((sum, reviews) => sum + reviews, 0);
  const stars = distribution.reduce((sum, reviews, index) => sum + reviews * (index + 1), 0);
  // Rounded to two decimals.
  const average = count === 0 ? null : Math.round((stars / count) * 100) / 100;
  return { productId, count, average, distribution };
}

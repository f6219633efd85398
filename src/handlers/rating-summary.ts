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

/** Count, average and distribution of a product's ratings. */
export const getRatingSummary: Handlers['operations']['getRatingSummary'] = async ({ params }, { store }) => {
  const product = await store.products.get(params.productId);
  if (!product) throw new ApiError('NOT_FOUND');
  const [body] = await ratingSummaries(store, [product.id]);
  return { status: 200, body: body! };
};

/** The same for many products. Reviews are counted, not read: a product may have any number of them. */
export async function ratingSummaries(store: Store, productIds: readonly string[]): Promise<RatingSummary[]> {
  return Promise.all(
    productIds.map(async (productId) => {
      const counts = RATINGS.map((rating) => store['products.reviews'].count({ productId, rating }));
      return summary(productId, await Promise.all(counts));
    }),
  );
}

function summary(productId: string, distribution: number[]): RatingSummary {
  const count = distribution.reduce((sum, reviews) => sum + reviews, 0);
  const stars = distribution.reduce((sum, reviews, index) => sum + reviews * (index + 1), 0);
  // Rounded to two decimals.
  const average = count === 0 ? null : Math.round((stars / count) * 100) / 100;
  return { productId, count, average, distribution };
}

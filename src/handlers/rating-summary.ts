import { ApiError } from '../../generated/errors.ts';
import type { Handlers } from '../../generated/handlers.ts';

/** Count, mean and distribution of a product's stars. */
export const getRatingSummary: Handlers['operations']['getRatingSummary'] = async ({ params }, { store }) => {
  const product = await store.products.get(params.productId);
  if (!product) throw new ApiError('NOT_FOUND');
  const reviews = await store['products.reviews'].list({ productId: product.id });
  const distribution = [0, 0, 0, 0, 0];
  for (const { rating } of reviews) distribution[rating - 1]! += 1;
  const body = { productId: product.id, count: reviews.length, average: mean(distribution), distribution };
  return { status: 200, body };
};

/** To two decimals; null without a rating. */
function mean(distribution: readonly number[]): number | null {
  const count = distribution.reduce((sum, reviews) => sum + reviews, 0);
  const stars = distribution.reduce((sum, reviews, index) => sum + reviews * (index + 1), 0);
  return count === 0 ? null : Math.round((stars / count) * 100) / 100;
}

import { ApiError } from '../../generated/errors.ts';
import type { Handlers } from '../../generated/handlers.ts';

export interface RatingSummary {
  readonly productId: string;
  readonly count: number;
  readonly average: number | null;
  readonly distribution: number[];
}

const RATINGS = [1, 2, 3, 4, 5];

/** Count, average and distribution of each product's ratings, by one statement for all products. */
export const getRatingSummary = {
  async each(inputs, { store }) {
    const ids = inputs.map(({ productId }) => productId.toLowerCase());
    const products = await store.products.list({ id: ids });
    const known = new Set(products.map(({ id }) => id));
    const groups = await store['products.reviews'].totals({ productId: ids }, { groupBy: ['productId', 'rating'] });
    return ids.map((id) => {
      if (!known.has(id)) return new ApiError('NOT_FOUND');
      const own = groups.filter(({ productId }) => productId === id);
      return summary(
        id,
        RATINGS.map((rating) => own.find((group) => group.rating === rating)?.count ?? 0),
      );
    });
  },
} satisfies Handlers['operations']['getRatingSummary'];

function summary(productId: string, distribution: number[]): RatingSummary {
  const count = distribution.reduce((sum, reviews) => sum + reviews, 0);
  const stars = distribution.reduce((sum, reviews, index) => sum + reviews * (index + 1), 0);
  // Rounded to two decimals.
  const average = count === 0 ? null : Math.round((stars / count) * 100) / 100;
  return { productId, count, average, distribution };
}

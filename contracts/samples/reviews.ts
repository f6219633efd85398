import type { Resources } from '../../generated/handlers.ts';
import type { Random } from '../../src/tools/random.ts';
import { uuidAt } from '../../src/tools/uuid.ts';
import type { Product } from './products.ts';
import type { User } from './users.ts';
import { opinions } from './words.ts';

export type Review = Resources['products.reviews']['resource'];

const FIRST_MS = Date.UTC(2025, 6, 1);
const MINUTE_MS = 60_000;
const MOST_PER_PRODUCT = 8;
/** Most people are pleased. */
const RATINGS = [1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5] as const;

/** Up to eight users review each product that is or was for sale, each of them once. */
export function makeReviews(products: readonly Product[], users: readonly User[], random: Random): Review[] {
  return products
    .filter((product) => product.status !== 'DRAFT')
    .flatMap((product) =>
      random
        .sample(users, random.integer(0, MOST_PER_PRODUCT))
        .map((user) => ({ productId: product.id, userId: user.id })),
    )
    .map((pair, index) => makeReview(pair, FIRST_MS + index * MINUTE_MS, random));
}

function makeReview(pair: Pick<Review, 'productId' | 'userId'>, createdMs: number, random: Random): Review {
  const createdAt = new Date(createdMs).toISOString();
  const rating = random.pick(RATINGS);
  const { title, body } = opinions[rating - 1]!;
  return {
    id: uuidAt(createdMs, random),
    version: 1,
    createdAt,
    updatedAt: createdAt,
    ...pair,
    rating,
    title,
    body: random.chance(0.75) ? body : null,
  };
}

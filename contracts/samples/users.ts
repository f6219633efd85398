import type { Resources } from '../../generated/handlers.ts';
import type { Random } from '../../src/tools/random.ts';
import { uuidAt } from '../../src/tools/uuid.ts';
import { admin, customer } from './callers.ts';
import { cities, firstNames, lastNames } from './words.ts';

export type User = Resources['users']['resource'];
export type Address = NonNullable<User['address']>;

const OPENED_MS = Date.UTC(2025, 0, 1);
const HOUR_MS = 3_600_000;

/** The customer, the administrator, and `count - 2` more, of different e-mail addresses. */
export function makeUsers(count: number, productIds: readonly string[], random: Random): User[] {
  return Array.from({ length: count }, (_, index) => makeUser(index, productIds, random));
}

/** One who is new: not the customer, nor the administrator, has an `index` of 2 or more. */
export function makeUser(index: number, productIds: readonly string[], random: Random): User {
  const createdMs = OPENED_MS + index * HOUR_MS;
  const createdAt = new Date(createdMs).toISOString();
  const first = random.pick(firstNames);
  const last = random.pick(lastNames);
  return {
    id: [customer.subject, admin.subject][index] ?? uuidAt(createdMs, random),
    version: 1,
    createdAt,
    updatedAt: createdAt,
    email: ['customer@example.com', 'admin@example.com'][index] ?? emailOf(first, last, index),
    name: `${first} ${last}`,
    birthDate: random.chance(0.6) ? birthDate(random) : null,
    address: random.chance(0.8) ? addressOf(`${first} ${last}`, random) : null,
    newsletterOptIn: random.chance(0.4),
    favouriteProductId: productIds.length > 0 && random.chance(0.5) ? random.pick(productIds) : null,
  };
}

function emailOf(first: string, last: string, index: number): string {
  const ascii = `${first}.${last}`
    .normalize('NFD')
    .replace(/ø/g, 'o')
    .replace(/[^a-zA-Z.]/g, '');
  return `${ascii.toLowerCase()}.${index}@example.com`;
}

function birthDate(random: Random): string {
  return new Date(Date.UTC(random.integer(1950, 2005), random.integer(0, 11), random.integer(1, 28)))
    .toISOString()
    .slice(0, 10);
}

/** Somewhere in one of the cities. */
export function addressOf(name: string, random: Random): Address {
  const { street, ...place } = random.pick(cities);
  return { name, lines: [`${street} ${random.integer(1, 120)}`], ...place };
}

import { describe, expect, it } from 'vitest';
import { admin, customer, sample } from '../../contracts/samples/index.ts';
import type { Resources } from '../../generated/handlers.ts';

const REFERENCES = ['userId', 'productId', 'orderId', 'favouriteProductId'];

function rowsOf<T>(resource: string): T[] {
  return [...sample()].filter((row) => row.resource === resource).map((row) => row.values as T);
}

const users = rowsOf<Resources['users']['resource']>('users');
const products = rowsOf<Resources['products']['resource']>('products');
const reviews = rowsOf<Resources['products.reviews']['resource']>('products.reviews');
const orders = rowsOf<Resources['orders']['resource']>('orders');
const items = rowsOf<Resources['orders.items']['resource']>('orders.items');

describe('the storefront sample', () => {
  it('is the same each time', () => {
    expect(JSON.stringify([...sample()])).toBe(JSON.stringify([...sample()]));
  });

  it('is large enough to page through', () => {
    expect(users.length).toBeGreaterThanOrEqual(200);
    expect(products.length).toBeGreaterThanOrEqual(1000);
    expect(orders.length).toBeGreaterThanOrEqual(5000);
    expect(reviews.length).toBeGreaterThan(1000);
  });

  it('names the ids in order of time and only once', () => {
    for (const rows of [users, products, reviews, orders]) {
      const times = rows.map(({ id }) => id.slice(0, 13));
      expect(times).toEqual([...times].sort());
    }
    const ids = [...sample()].map((row) => row.values['id']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has the callers that ready-made tokens stand for', () => {
    expect(users.map(({ id }) => id)).toEqual(expect.arrayContaining([customer.subject, admin.subject]));
    expect(orders.some(({ userId, status }) => userId === customer.subject && status === 'PENDING')).toBe(true);
  });

  it('refers only to rows that came before', () => {
    const seen = new Set<unknown>([null]);
    const dangling = [...sample()].filter(({ values }) => {
      seen.add(values['id']);
      return REFERENCES.some((property) => property in values && !seen.has(values[property]));
    });
    expect(dangling).toEqual([]);
  });

  it('totals every order over its items, in one currency', () => {
    const byOrder = Map.groupBy(items, ({ orderId }) => orderId);
    const currencies = new Map(products.map(({ id, currency }) => [id, currency]));
    for (const order of orders) {
      const lines = byOrder.get(order.id) ?? [];
      expect(order.total).toBe(lines.reduce((total, line) => total + line.quantity * line.unitPrice, 0));
      expect(new Set(lines.map(({ productId }) => currencies.get(productId)))).toEqual(new Set([order.currency]));
    }
  });

  it('counts the units that were paid for', () => {
    const paid = new Set(orders.filter(({ status }) => /PAID|SHIPPED|DELIVERED/.test(status)).map(({ id }) => id));
    for (const { id, unitsSold } of products.slice(0, 100)) {
      const lines = items.filter((item) => item.productId === id && paid.has(item.orderId));
      expect(Number(unitsSold)).toBe(lines.reduce((sum, { quantity }) => sum + quantity, 0));
    }
  });

  it('reaches every state, kind and currency', () => {
    expect(new Set(orders.map(({ status }) => status)).size).toBe(5);
    expect(new Set(products.map(({ status }) => status)).size).toBe(3);
    expect(new Set(products.map(({ delivery }) => delivery.kind)).size).toBe(2);
    expect(new Set(products.map(({ currency }) => currency)).size).toBeGreaterThan(1);
  });

  it('has one review per user and product, and no negative stock', () => {
    expect(new Set(reviews.map(({ productId, userId }) => `${productId} ${userId}`)).size).toBe(reviews.length);
    expect(new Set(users.map(({ email }) => email)).size).toBe(users.length);
    expect(new Set(products.map(({ sku }) => sku)).size).toBe(products.length);
    for (const { stock } of products) expect(stock).toBeGreaterThanOrEqual(0);
  });
});

import { ApiError } from '../../src/runtime/errors/api-error.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';

// biome-ignore lint/suspicious/noExplicitAny: what the contract says has been checked before a handler runs
type Values = Readonly<Record<string, any>>;

const RATES: Readonly<Record<string, string>> = { EUR: '1', USD: '1.08', CHF: '0.95' };

const rate = (currency: string, places: number, onDate: string | null | undefined) => {
  if (onDate && onDate < '2010-01-01') throw new ApiError('NOT_FOUND');
  return { currency, rate: RATES[currency], places, ...(onDate && { onDate }) };
};

const markets = (most: number, currencies: readonly string[] | null | undefined) =>
  (currencies ?? ['EUR', 'USD']).slice(0, most).map((name, i) => ({
    name,
    volume: i * 5_000_000_000,
    ...(i === 1 && { opening: { hour: 9 } }),
  }));

const convert = ({ from, to = 'EUR', amount, note }: Values) => ({ from, to, amount, note: note ?? null });

/** The operations of `test/fixtures/exchange`, and the fields beside them. */
export const exchangeHandlers = {
  operations: {
    getRate: ({ params, query }: { params: Values; query: Values }) => ({
      status: 200,
      body: rate(params['currency'], query['places'] ?? 2, query['onDate']),
    }),
    getMarkets: ({ query }: { query: Values }) => ({ status: 200, body: markets(query['most'], query['currencies']) }),
    convert: ({ body }: { body: Values }) => ({ status: 200, body: convert(body) }),
    removeAlert: () => ({ status: 204 }),
  },
  fields: {
    Query: {
      rate: ({ currency, places, onDate }: Values) => rate(currency, places ?? 2, onDate),
      markets: ({ most, currencies }: Values) => markets(most, currencies),
    },
    Mutation: {
      convert: ({ input }: { input: Values }) => convert(input),
      removeAlert: () => true,
    },
  },
} as unknown as AnyHandlers;

import { ApiError } from '../../src/runtime/errors/api-error.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';

// biome-ignore lint/suspicious/noExplicitAny: what the contract says has been checked before a handler runs
type Values = Readonly<Record<string, any>>;

const RATES: Readonly<Record<string, string>> = { EUR: '1', USD: '1.08', CHF: '0.95' };

/** The operations of `test/fixtures/exchange`. */
export const exchangeHandlers = {
  operations: {
    getRate({ currency, places, onDate }: Values) {
      if (onDate && onDate < '2010-01-01') throw new ApiError('NOT_FOUND');
      return { currency, rate: RATES[currency], places, ...(onDate && { onDate }) };
    },
    getMarkets: ({ most, currencies = ['EUR', 'USD'] }: Values) =>
      currencies.slice(0, most).map((name: string, i: number) => ({
        name,
        volume: i * 5_000_000_000,
        ...(i === 1 && { opening: { hour: 9 } }),
      })),
    convert: ({ input: { from, to, amount, note = null } }: Values) => ({ from, to, amount, note }),
    removeAlert: () => undefined,
  },
} as unknown as AnyHandlers;

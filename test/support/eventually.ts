import { vi } from 'vitest';

/** Far more than any of it takes: a busy machine makes no test fail. */
const PATIENCE = { timeout: 60_000, interval: 10 };

/** Waits until an expectation holds; what it answers. Rejects with the last failure when it never does. */
export const eventually = <T>(expectation: () => T | Promise<T>): Promise<T> => vi.waitFor(expectation, PATIENCE);

import { shortened } from './bounded.ts';

/** Gets a stored value that the contract does not allow, and its place: `products.status`, `ProductStatus`. */
export type ReportStray = (place: string, value: unknown) => void;

interface Log {
  warn(fields: object, message: string): void;
}

const INTERVAL_MS = 60_000;
const MAX_VALUE_CHARACTERS = 100;

/** Logs stray values, each place once a minute: a list may have thousands of them. */
export function createStrayReport(log: Log | undefined, nowMs = (): number => performance.now()): ReportStray {
  const loggedAt = new Map<string, number>();
  return (place, value) => {
    const last = loggedAt.get(place);
    if (last !== undefined && nowMs() - last < INTERVAL_MS) return;
    loggedAt.set(place, nowMs());
    log?.warn(
      { place, value: shortened(String(value), MAX_VALUE_CHARACTERS) },
      'a stored value is not in the contract',
    );
  };
}

import type { TestClock } from './test-clock.ts';

/** Ids that are the same in each run: UUIDs of version 7 (RFC 9562, 5.7) from the clock's time and a counter. */
export function countedIds(clock: TestClock): () => string {
  let count = 0;
  return () => {
    count += 1;
    const time = clock.now().getTime().toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count.toString(16).padStart(12, '0')}`;
  };
}

/** Longest delay that a timer takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Calls back at a time, however far off it is. Returns a function that cancels the call. */
export function callAt(timeMs: number, clock: () => number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const remainingMs = timeMs - clock();
    timer =
      remainingMs > MAX_DELAY_MS ? setTimeout(wait, MAX_DELAY_MS) : setTimeout(callback, Math.max(remainingMs, 0));
    timer.unref();
  };
  wait();
  return () => clearTimeout(timer);
}

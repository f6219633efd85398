/** Settles as the work does, unless the signal is aborted before: then it rejects with the reason, whatever the work does. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const settled = () => signal.removeEventListener('abort', stop);
    void work.then(resolve, reject).then(settled);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

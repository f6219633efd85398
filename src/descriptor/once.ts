/** What `make` returns, made when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What `make` resolves with, made when it is first asked for. What has failed is made again. */
export function onceResolved<T>(make: () => T | Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= (async () => make())().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

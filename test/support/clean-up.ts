type End = () => unknown;

/** What the tests of the file that runs have started and not ended yet. */
const open = new Set<End>();

/** How to end what a test has started; called once, by the test or, where that fails before, when its file is done. */
export function endedByTests<T>(end: () => T): () => T {
  let ended: { readonly outcome: T } | undefined;
  const once = (): T => {
    open.delete(once);
    ended ??= { outcome: end() };
    return ended.outcome;
  };
  open.add(once);
  return once;
}

/** Ends what is left, the latest first. */
export async function endWhatIsLeft(): Promise<void> {
  for (const end of [...open].reverse()) await end();
}

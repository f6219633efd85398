/** Texts that were made of others alone, from one run to the next. What is not there is made again. */
export interface Keep {
  /** What was made of these inputs; undefined when it is not there any more. */
  readonly read: (kind: string, inputs: readonly string[]) => string | undefined;
  readonly write: (kind: string, inputs: readonly string[], text: string) => void;
}

export const KEEP_NOTHING: Keep = { read: () => undefined, write: () => undefined };

/** The text that `make` makes of these inputs and of nothing else. */
export async function kept(
  keep: Keep,
  kind: string,
  inputs: readonly string[],
  make: () => Promise<string>,
): Promise<string> {
  const known = keep.read(kind, inputs);
  if (known !== undefined) return known;
  const made = await make();
  keep.write(kind, inputs, made);
  return made;
}

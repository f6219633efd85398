/** The text of each file by its path in the output folder. */
export type OutputFiles = ReadonlyMap<string, string>;

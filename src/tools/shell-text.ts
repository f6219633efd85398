/** A text as one word of a POSIX shell. */
export const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

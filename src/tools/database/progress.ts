/** One line on a terminal that says what is being done. */
export interface Progress {
  readonly show: (what: string) => void;
  /** Removes the line. */
  readonly end: () => void;
}

const ERASE_LINE = '\r\u001b[2K';

/** Shows nothing where no person watches: in a file, a pipe, a log. */
export function createProgress(out: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>): Progress {
  if (!out.isTTY) return { show: () => {}, end: () => {} };
  return {
    show: (what) => void out.write(`${ERASE_LINE}${`${what} …`.slice(0, (out.columns || 80) - 1)}`),
    end: () => void out.write(ERASE_LINE),
  };
}

/** One line on a terminal, which is overwritten, that says what is being done. */
export interface StatusLine {
  show(text: string): void;
  /** Removes the line. */
  end(): void;
}

/** Where it is shown: a terminal, or a file or pipe. */
export interface StatusOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const ERASE_LINE = '\r\u001B[2K';

/** Shows nothing where no person watches: in a file, a pipe, a log. */
export function createStatusLine(output: StatusOutput): StatusLine {
  if (!output.isTTY) return { show: () => {}, end: () => {} };
  return {
    show: (text) => void output.write(`${ERASE_LINE}${text.slice(0, (output.columns || 80) - 1)}`),
    end: () => void output.write(ERASE_LINE),
  };
}

/** What a program does with a call beside printing what it is answered. */
export type SampleUse =
  /** Reads the first page of a list, and the next one by its cursor. */
  | 'pages'
  /** Changes what it has read before, and says so where somebody was faster. */
  | 'unchanged'
  /** Changes what it reads, as often as somebody is faster. */
  | 'change'
  /** Prints what the API refuses. */
  | 'refused'
  /** Prints how long to wait where it has asked too often. */
  | 'waits';

/** A subscription that a program follows. */
export interface SampleEvents {
  /** Of its document: `OnOrderUpdated`. */
  readonly name: string;
  /** Its arguments in their order, each with the text that it is given, if any. */
  readonly args: readonly { readonly text: string | undefined; readonly isRequired: boolean }[];
}

/** What a program says when it may have missed events. */
export const MISSED = 'Read again what is watched.';
/** … and where a change came too late. */
export const OVERTAKEN = 'Somebody was faster.';

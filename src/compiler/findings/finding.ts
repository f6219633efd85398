import type { Fix } from './fix.ts';

/** A position in the author's files. Lines and columns count from 1. */
export interface Location {
  /** Relative to the contract folder. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer inside that file (RFC 6901). */
  readonly pointer: string;
}

/** A node of a document, or one of its keys. */
export interface Place {
  readonly node: object;
  readonly key?: string | number | undefined;
}

/** A name that clients export, and what it is now; without that where they no longer have it. */
export interface ExportChange {
  readonly language: string;
  readonly name: string;
  readonly now?: string;
}

/** A place where a registered consumer relies on something. */
export interface Reliance {
  /** Name of the consumer. */
  readonly consumer: string;
  readonly location: Location;
}

/** Whom a change concerns. */
export interface Concerned {
  /** Of a branch's change: what clients call otherwise. */
  readonly exports?: readonly ExportChange[];
  /** Of a breaking change, if consumers are registered: where they rely on what is broken. */
  readonly consumers?: readonly Reliance[];
}

/** A problem in a contract: an `error` stops the compiler, a `warning` does not. */
export interface Finding extends Concerned {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Of a breaking change: what is broken, as a waiver names it (`Order.note`). */
  readonly subject?: string;
  /** It is a warning in documents of others alone. */
  readonly isForgiven?: true;
  /** What to write instead. */
  readonly hint: string;
  readonly location: Location;
  /** The second location of a finding that concerns two. */
  readonly also?: Location | undefined;
  /** The edit that removes the finding, where it follows from the rest of the contract. */
  readonly fix?: Fix | undefined;
}

export const isError = ({ severity }: Finding): boolean => severity === 'error';

import type { Reference } from '../reference/reference.ts';
import type { Shown } from './shown.ts';

/** How to do one thing with an API, made of its contract. */
export interface Guide {
  /** Name of its file: `paging`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What readers call it who do not know its title. */
  readonly words: readonly string[];
  /** Its Markdown below the title; undefined where the contract declares nothing of it. */
  text(shown: Shown, reference: Reference): string | undefined;
}

/** A program that prints each entry of a list. */
export const EACH = (list: string): string => `for await (const entry of ${list}) console.log(entry);`;

/** Where a guide is. */
export const guidePath = (name: string): string => `docs/guides/${name}.html`;

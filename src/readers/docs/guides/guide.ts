import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Reference } from '../reference/reference.ts';
import type { Shown } from './shown.ts';
import type { Values } from './template.ts';

/** How to do one thing with an API: the text is in the Markdown file of its name, which is filled with what the contract declares. */
export interface Guide {
  /** Name of its file: `paging`. */
  readonly name: string;
  /** The resource that its calls are about, and its values; undefined if the contract declares nothing of it. */
  values(shown: Shown, reference: Reference): GuideValues | undefined;
}

type GuideValues = Values & { readonly resource?: ResourceDescriptor | undefined };

/** Where a guide is. */
export const guidePath = (name: string): string => `docs/guides/${name}.html`;

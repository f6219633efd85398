import type { FlatSchema } from '../../json-schema/flat-schema.ts';

/** `lineItem` → `line item`. */
export const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();

/** What an operation or a parameter says of itself. */
export function descriptionOf(node: object | undefined): string | undefined {
  const { description, summary } = (node ?? {}) as { readonly description?: unknown; readonly summary?: unknown };
  const text = description ?? summary;
  return typeof text === 'string' ? text : undefined;
}

/** What the nearest schema says of itself. */
export function schemaDescription({ keywords }: FlatSchema): string | undefined {
  const text = keywords.get('description')?.value ?? keywords.get('title')?.value;
  return typeof text === 'string' ? text : undefined;
}

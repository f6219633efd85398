import type { PropertyDescriptor } from '../resource.ts';

/** A property's initial value as SQL; undefined when it has none, or it is null. */
export function initialLiteral({ initial, type }: PropertyDescriptor): string | undefined {
  if (initial === undefined || initial === null) return undefined;
  if (type === 'json') return quotedText(JSON.stringify(initial));
  if (typeof initial === 'boolean') return initial ? '1' : '0';
  return typeof initial === 'number' ? String(initial) : quotedText(String(initial));
}

/** A text as SQL. */
export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name as SQL. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

import { posix } from 'node:path';
import type { Location } from '../../compiler/findings/index.ts';

/** Where something stands in the files of a contract. */
export type Place = Pick<Location, 'file' | 'pointer'>;

/** How a file refers to a place: by a pointer inside it, or by the path to another file. */
export function referenceTo({ file, pointer }: Place, from: string): string {
  const path = posix.relative(posix.dirname(from), file);
  const other = file === from ? '' : path.startsWith('.') || posix.dirname(from) === '.' ? path : `./${path}`;
  return pointer === '' ? other : `${other}#${pointer}`;
}

/** A value with each of its references written anew. */
export function withReferences(value: unknown, rewritten: (ref: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, rewritten));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? rewritten(inner) : withReferences(inner, rewritten),
    ]),
  );
}

import { createHash } from 'node:crypto';

type IsAbsent = (name: string, member: unknown) => boolean;

/** Characters that are hashed at once. */
const PIECE = 16_384;

/**
 * A hash that equal values share, whatever the order of their members: that of their JSON in which each object is the list
 * of its members by name, without those of the value itself that are absent. It is kept with answers, so it never changes.
 */
export function hashOf(value: unknown, isAbsent: IsAbsent): string {
  const hash = createHash('sha256');
  let piece = '';
  const write = (text: string): void => {
    piece += text;
    if (piece.length < PIECE) return;
    hash.update(piece);
    piece = '';
  };
  if (value !== undefined) writeValue(value, write, isAbsent);
  return hash.update(piece).digest('base64url');
}

function writeValue(value: unknown, write: (text: string) => void, isAbsent?: IsAbsent): void {
  if (typeof value !== 'object' || value === null) return void write(JSON.stringify(value) ?? 'null');
  const members = value as Readonly<Record<string | number, unknown>>;
  const isThere = (name: string): boolean => members[name] !== undefined && !isAbsent?.(name, members[name]);
  const isList = Array.isArray(value);
  let separator = '';
  write('[');
  for (const key of isList ? value.keys() : Object.keys(value).filter(isThere).sort()) {
    write(isList ? separator : `${separator}[${JSON.stringify(key)},`);
    writeValue(members[key], write);
    write(isList ? '' : ']');
    separator = ',';
  }
  write(']');
}

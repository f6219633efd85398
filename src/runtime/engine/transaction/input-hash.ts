import { createHash } from 'node:crypto';

/** Characters that are hashed at once. */
const PIECE = 16_384;

/**
 * A hash that equal values share, whatever the order of their members: that of their JSON in which each object is the list
 * of its members by name. Those of the value itself that are absent are left out. The text is hashed piece by piece: a large
 * one is never there as a whole. It is kept with answers, so it must not change.
 */
export function hashOf(value: unknown, isAbsent: (name: string, member: unknown) => boolean): string {
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

type Write = (text: string) => void;

function writeValue(value: unknown, write: Write, isAbsent?: (name: string, member: unknown) => boolean): void {
  if (typeof value !== 'object' || value === null) write(JSON.stringify(value) ?? 'null');
  else if (Array.isArray(value)) writeList(value, write, (item) => writeValue(item, write));
  else {
    const members = value as Readonly<Record<string, unknown>>;
    const isThere = (name: string): boolean => members[name] !== undefined && !isAbsent?.(name, members[name]);
    writeList(Object.keys(members).filter(isThere).sort(), write, (name) => {
      write(`[${JSON.stringify(name)},`);
      writeValue(members[name], write);
      write(']');
    });
  }
}

function writeList<T>(items: readonly T[], write: Write, writeItem: (item: T) => void): void {
  write('[');
  for (let i = 0; i < items.length; i++) {
    if (i > 0) write(',');
    writeItem(items[i]!);
  }
  write(']');
}

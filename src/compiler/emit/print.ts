export { HEADER } from '../sdl/generated-folder.ts';

/** A value as the literal of a TypeScript file, JSON being a part of the language. */
export const literal = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** A text as a literal: an operationId may hold anything. */
export const quote = (text: string): string => (/^[\w.\- /{}~:]*$/.test(text) ? `'${text}'` : JSON.stringify(text));

/** A property name, quoted where it has to be. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

/** Where a file some levels below the output folder imports Lockstep from; a package is the same from everywhere. */
export const fromBelow = (levels: number, library: string): string =>
  library.startsWith('.') ? `${'../'.repeat(levels)}${library}` : library;

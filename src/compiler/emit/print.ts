export { HEADER } from '../sdl/generated-folder.ts';

/** A value as the literal of a TypeScript file, JSON being a part of the language. */
export const literal = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** A text as a literal: an operationId may hold anything. */
export const quote = (text: string): string => (/^[\w.\- /{}~:]*$/.test(text) ? `'${text}'` : JSON.stringify(text));

/** A property name, quoted where it has to be. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

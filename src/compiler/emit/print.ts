export { HEADER } from '../sdl/generated-folder.ts';

/** A value as a TypeScript literal, which JSON is. */
export const literal = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** A text as a literal: an operationId may contain any character. */
export const quote = (text: string): string => (/^[\w.\- /{}~:]*$/.test(text) ? `'${text}'` : JSON.stringify(text));

/** A property name, quoted where it has to be. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

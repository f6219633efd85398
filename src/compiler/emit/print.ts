export { HEADER } from '../sdl/generated-folder.ts';

/** A value as a TypeScript literal, which JSON is. */
export const literal = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** JSON with a line for each member of the outer levels; what is inside the last of them stands on its line. */
export function printed(value: unknown, levels: number, indent = ''): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close, lines] = Array.isArray(value)
    ? ['[', ']', value.map((item) => printed(item, levels - 1, inner))]
    : ['{', '}', Object.entries(value).map(([name, one]) => `"${name}": ${printed(one, levels - 1, inner)}`)];
  return lines.length === 0 ? open + close : `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** A text as a literal: an operationId may contain any character. */
export const quote = (text: string): string => (/^[\w.\- /{}~:]*$/.test(text) ? `'${text}'` : JSON.stringify(text));

/** A property name, quoted where it has to be. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

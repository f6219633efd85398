import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a document in `docs/`. */
export const documentText = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

/** The code block of a document whose info string is `info`. */
export function blockOf(name: string, info: string): string {
  const found = documentText(name).match(new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, 'm'));
  if (!found) throw new Error(`docs/${name} has no code block \`${info}\`.`);
  return found[1]!;
}

import type { Fix } from '../../findings/fix.ts';
import type { Field } from './parity.ts';
import { addAfter, removeNode, replaceNode } from './sdl-edits.ts';

/** Gives a field an argument of a type; without a type, the argument is removed. */
export function argumentFix({ args, astNode }: Field, name: string, type: string | undefined): Fix | undefined {
  const found = args.find((one) => one.name === name)?.astNode;
  if (found)
    return type === undefined ? (args.length > 1 ? removeNode(found) : undefined) : replaceNode(found.type, type);
  if (type === undefined) return undefined;
  const last = args.at(-1)?.astNode;
  return last ? addAfter(last, `, ${name}: ${type}`) : addAfter(astNode?.name, `(${name}: ${type})`);
}

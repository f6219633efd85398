import { childPointer, pointerTokens, valueAt } from '../../descriptor/json-pointer.ts';
import { type Finding, isError, type Location } from '../findings/finding.ts';
import { checkStructure } from './check-structure.ts';
import { isNode, type Node } from './grammar.ts';
import type { SourceMap } from './source-map.ts';

/** What is left out: members with errors, or the paths and components around them with all that depends on these. */
export type Mending = 'members' | 'parts';

/** An operation, a component or another part of a document that not everything depends on, and what is below it. */
const PART =
  /^\/(?:paths\/[^/]+(?=\/[^/]+\/)|components\/schemas\/(?!ErrorCode\/)[^/]+(?=\/)|(?:webhooks|components\/(?!s)\w+)\/[^/]+|servers|tags|externalDocs)/;
/** Without these, a schema may have lost all its properties. */
const PROPERTIES = /\/(?:properties|allOf(?:\/\d+)?(?:\/\$ref)?)$/;

/** Leaves out what has errors, in place. Resolves with whether the rest, which is valid, can be judged. */
export async function mend(root: Node, findings: readonly Finding[], map: SourceMap, by: Mending): Promise<boolean> {
  // Nothing depends on descriptions, and on the texts of `info`.
  const matters = (finding: Finding): boolean =>
    isError(finding) && finding.hint !== 'Add `description`.' && !/^\/info\b/.test(finding.location.pointer);
  for (let errors = findings.filter(matters); errors.length > 0; ) {
    const places = new Set(errors.map(({ location }) => JSON.stringify(location)));
    const found = membersAt(root, '', places, map);
    const isApart = found.every((pointer) => PART.test(pointer) && !PROPERTIES.test(pointer));
    if (places.size > 0 || !isApart || !isNode(root['info'])) return false;
    for (const pointer of by === 'members' ? found.toReversed() : partsWith(root, found)) leaveOut(root, pointer);
    errors = by === 'members' ? (await checkStructure(root, map)).filter(matters) : [];
  }
  return true;
}

/** Pointers to the members at some places, which are taken from the list. */
function membersAt(node: object, above: string, places: Set<string>, map: SourceMap): readonly string[] {
  const isAt = (location: Location): boolean => places.delete(JSON.stringify(location));
  return Object.entries(node).flatMap(([key, value]) => {
    const pointer = childPointer(above, key);
    const isObject = typeof value === 'object' && value !== null;
    const isFound = isAt(map.locate(node, key)) || (isObject && isAt(map.locate(value)));
    const below = isObject ? membersAt(value, pointer, places, map) : [];
    return isFound ? [pointer] : below;
  });
}

/** The parts of some members, paths with the others of their collections, and all that refers to one of these. */
function partsWith(root: Node, members: readonly string[]): Iterable<string> {
  const kinds = Object.keys(Object(root['components'])).map((kind) => `components/${kind}`);
  const all = ['paths', 'webhooks', ...kinds].flatMap((path) =>
    Object.entries(Object(valueAt(root, path.split('/')))).map(([key, value]) => ({
      pointer: childPointer(`/${path}`, key),
      references:
        JSON.stringify(value)
          .match(/(?<="#)\/(?:paths|components\/\w+)\/[^/"]+/g)
          ?.map(String) ?? [],
    })),
  );
  const parts = new Set(members.map((pointer) => PART.exec(pointer)![0]));
  for (const part of parts)
    for (const { pointer, references } of all)
      if (references.includes(part) || collectionOf(pointer) === collectionOf(part)) parts.add(pointer);
  return parts;
}

const collectionOf = (pointer: string): string => pointer.replace(/\{[^}]*\}/g, '{}').replace(/~1\{\}$/, '');

function leaveOut(root: Node, pointer: string): void {
  const path = pointerTokens(pointer);
  const key = path.pop()!;
  const holder = valueAt(root, path) as Node | unknown[];
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

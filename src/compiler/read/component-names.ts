import { posix } from 'node:path';
import { childPointer, pointerTokens } from '../../descriptor/json-pointer.ts';
import { setMember } from '../../descriptor/look-up.ts';
import { COMPONENTS, isNode, type Kind, type Node } from './grammar.ts';
import type { Target } from './resolver.ts';
import type { SourceMap } from './source-map.ts';

/** The names that objects of other files get in the `components` of the bundle. */
export class ComponentNames {
  readonly #root: Node;
  readonly #map: SourceMap;
  /** References to components, by the identity of their origin. */
  readonly #references = new Map<string, string>();

  constructor(root: Node, map: SourceMap) {
    this.#root = root;
    this.#map = map;
  }

  /** The reference to the component of a target; undefined when it has none yet. */
  referenceTo(kind: Kind, target: Target): string | undefined {
    return this.#references.get(identity(kind, target));
  }

  /** Makes an existing component the target's. */
  adopt(kind: Kind, target: Target, name: string): string {
    const reference = `#${childPointer(`/components/${COMPONENTS[kind]}`, name)}`;
    this.#references.set(identity(kind, target), reference);
    return reference;
  }

  /** Adds a component for the target. */
  add(kind: Kind, target: Target): string {
    const section = memberOf(memberOf(this.#root, 'components'), COMPONENTS[kind]!);
    const name = freeName(section, target);
    setMember(section, name, target.node);
    if (isNode(target.node)) this.#map.setKey(section, name, this.#map.locate(target.node));
    return this.adopt(kind, target, name);
  }
}

const identity = (kind: Kind, { file, pointer }: Target): string => `${kind} ${file}#${pointer}`;

/** A value that is not an object is reported by the structure check; nothing is written into it. */
function memberOf(node: Node, key: string): Node {
  node[key] ??= {};
  return isNode(node[key]) ? node[key] : {};
}

/** The pointer's last token, or else the file's base name, with a number if that is taken. */
function freeName(section: Node, { file, pointer }: Target): string {
  const token = pointerTokens(pointer).at(-1) || posix.basename(file, posix.extname(file));
  const base = token.replace(/[^A-Za-z0-9._-]/g, '_');
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`;
    if (!Object.hasOwn(section, name)) return name;
  }
}

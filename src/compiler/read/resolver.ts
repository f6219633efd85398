import { posix } from 'node:path';
import { percentDecoded, pointerOfFragment, pointerTokens, valueAt } from '../../descriptor/json-pointer.ts';
import type { Finding } from '../findings/finding.ts';
import { isNode, type Kind, type Node } from './grammar.ts';
import type { SourceFiles } from './source-files.ts';
import type { SourceMap } from './source-map.ts';

/** The target of a reference. */
export interface Target {
  readonly file: string;
  /** JSON pointer inside the file; the empty pointer means the whole file. */
  readonly pointer: string;
  readonly node: Node | boolean;
}

const RELATIVE = 'Write a path relative to this file, followed by `#` and a JSON pointer into that file.';
const LOCAL_COPY = 'Keep a copy with the contract and refer to that; nothing is downloaded.';
const INSIDE = 'Keep the file in the repository of the contract, or below the `package.json` around it.';
const NO_ANCHOR = 'Write a JSON pointer, such as `#/components/schemas/Name`; anchors are not supported.';

/** Resolves references across files. A reference that cannot be resolved becomes a finding at its location. */
export class Resolver {
  readonly #files: SourceFiles;
  readonly #map: SourceMap;
  readonly findings: Finding[] = [];

  constructor(files: SourceFiles, map: SourceMap) {
    this.#files = files;
    this.#map = map;
  }

  /** The target of the reference `node[key]` to an object of a kind; undefined when it cannot be resolved. */
  resolve(node: Node, key: string, kind: Kind): Target | undefined {
    const ref = node[key] as string;
    if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(ref))
      return this.refuse(node, key, 'reference-remote', `\`${ref}\` is on another host.`, LOCAL_COPY);
    const hash = ref.indexOf('#');
    const path = percentDecoded(hash < 0 ? ref : ref.slice(0, hash));
    const pointer = pointerOfFragment(hash < 0 ? '' : ref.slice(hash + 1));
    if (path === undefined) return this.#unresolved(node, key, 'its percent-encoding is malformed');
    if (pointer === undefined)
      return this.#unresolved(node, key, `\`${ref.slice(hash + 1)}\` is not a JSON pointer`, NO_ANCHOR);
    if (path.startsWith('/')) return this.#unresolved(node, key, 'its path is absolute');
    const from = this.#map.fileOf(node, key);
    const file = path === '' ? from : this.#files.nameOf(posix.join(posix.dirname(from), path));
    if (!this.#files.isInProject(file))
      return this.refuse(node, key, 'reference-outside', `\`${ref}\` is outside of the project.`, INSIDE);
    return this.#target(node, key, kind, file, pointer);
  }

  #target(node: Node, key: string, kind: Kind, file: string, pointer: string): Target | undefined {
    const root = this.#files.read(file, () => this.#map.locate(node, key));
    if (root === undefined) return undefined;
    const found = valueAt(root, pointerTokens(pointer));
    if (isNode(found) || (kind === 'schema' && typeof found === 'boolean')) return { file, pointer, node: found };
    const what =
      pointer === '' ? `\`${file}\` does not contain an object` : `\`${file}\` has no object at \`${pointer}\``;
    return this.#unresolved(node, key, what);
  }

  #unresolved(node: Node, key: string, why: string, hint = RELATIVE): undefined {
    return this.refuse(node, key, 'reference-unresolved', `\`${node[key]}\` cannot be resolved: ${why}.`, hint);
  }

  refuse(node: Node, key: string, rule: string, message: string, hint: string): undefined {
    this.findings.push({ rule, severity: 'error', message, hint, location: this.#map.locate(node, key) });
    return undefined;
  }
}

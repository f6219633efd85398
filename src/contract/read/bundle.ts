import { posix } from 'node:path';
import type { Finding } from '../finding.ts';
import { COMPONENTS, childrenOf, isNode, type Kind, type Node } from './grammar.ts';
import { pointerTokens, valueAt } from './pointer.ts';
import type { SourceFiles } from './source-files.ts';
import type { SourceMap } from './source-map.ts';

/** What a reference leads to. */
interface Target {
  readonly file: string;
  readonly fragment: string;
  readonly node: Node | boolean;
}

/**
 * Makes one document of many files: what stands elsewhere moves into `components`, and every reference becomes a local
 * one. The nodes stay the objects that were read, so that their places in the files stay known.
 */
export class Bundler {
  readonly #files: SourceFiles;
  readonly #map: SourceMap;
  readonly #root: Node;
  readonly #entry: string;
  /** Reference to the component by what it stands for. */
  readonly #hoisted = new Map<string, string>();
  readonly #visited = new Set<object>();
  readonly findings: Finding[] = [];

  constructor(files: SourceFiles, map: SourceMap, entry: string, root: Node) {
    this.#files = files;
    this.#map = map;
    this.#entry = entry;
    this.#root = root;
  }

  bundle(): void {
    this.#adoptComponents();
    this.#visit(this.#root, 'document', this.#entry);
  }

  /** A component that is nothing but a reference to another file gives the target its name. */
  #adoptComponents(): void {
    const components = this.#root['components'];
    if (!isNode(components)) return;
    for (const { holder, key, child, kind } of [...childrenOf(components, 'components')]) {
      const ref = child['$ref'];
      if (typeof ref !== 'string' || ref.startsWith('#') || Object.keys(child).length > 1) continue;
      const target = this.#resolve(child, ref, this.#entry);
      if (!target) continue;
      this.#hoisted.set(identity(kind, target), `#/components/${COMPONENTS[kind]}/${key}`);
      holder[key] = target.node;
      if (isNode(target.node)) this.#visit(target.node, kind, target.file);
    }
  }

  #visit(node: Node, kind: Kind, file: string): void {
    if (this.#visited.has(node)) return;
    this.#visited.add(node);
    if (kind === 'discriminator') this.#mapping(node, file);
    else if (typeof node['$ref'] === 'string') this.#localise(node, kind, node['$ref'], file);
    for (const { holder, key, child, kind: childKind } of [...childrenOf(node, kind)]) {
      if (childKind === 'pathItem' && typeof child['$ref'] === 'string') this.#inline(holder, key, child, file);
      else this.#visit(child, childKind, file);
    }
  }

  /** A path item by reference stands in `paths` itself: not every reader of OpenAPI follows the reference. */
  #inline(holder: Node, key: string, child: Node, file: string): void {
    const target = this.#resolve(child, child['$ref'] as string, file);
    if (!target || !isNode(target.node)) return;
    holder[key] = target.node;
    this.#visit(target.node, 'pathItem', target.file);
  }

  #localise(node: Node, kind: Kind, ref: string, file: string): void {
    const local = this.#localReference(node, kind, ref, file, '$ref');
    if (local !== undefined) node['$ref'] = local;
  }

  /** `discriminator.mapping` holds references or schema names (OpenAPI 3.1, 4.8.25). */
  #mapping(node: Node, file: string): void {
    const mapping = node['mapping'];
    if (!isNode(mapping)) return;
    for (const [value, ref] of Object.entries(mapping)) {
      if (typeof ref !== 'string' || !/[#/.]/.test(ref)) continue;
      const local = this.#localReference(mapping, 'schema', ref, file, value);
      if (local !== undefined) mapping[value] = local;
    }
  }

  #localReference(node: Node, kind: Kind, ref: string, file: string, key: string): string | undefined {
    const target = this.#resolve(node, ref, file, key);
    if (!target) return undefined;
    if (target.file === this.#entry) return `#${target.fragment}`;
    return this.#hoist(kind, target);
  }

  #resolve(node: Node, ref: string, from: string, key = '$ref'): Target | undefined {
    const location = this.#map.locate(node, key);
    if (/^[a-z][a-z\d+.-]*:/i.test(ref))
      return this.#refuse(node, key, 'reference-remote', `\`${ref}\` is on another host.`);
    const [path = '', fragment = ''] = ref.split('#', 2);
    const file = path === '' ? from : posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(path)));
    const known = this.#files.findings.length;
    const root = file === this.#entry ? this.#root : this.#files.read(file, location);
    if (root === undefined) {
      // The file was reported where it was first asked for; each reference to it is a fault of its own.
      if (this.#files.findings.length === known)
        this.#refuse(node, key, 'reference-unresolved', `\`${ref}\` leads nowhere.`);
      return undefined;
    }
    const found = valueAt(root, pointerTokens(fragment));
    if (isNode(found) || typeof found === 'boolean') return { file, fragment, node: found };
    return this.#refuse(
      node,
      key,
      'reference-unresolved',
      `\`${ref}\` leads nowhere: \`${file}\` has nothing at \`${fragment || '/'}\`.`,
    );
  }

  #refuse(node: Node, key: string, rule: string, message: string): undefined {
    const hint =
      rule === 'reference-remote'
        ? 'Keep a copy beside the contract and refer to the file; nothing is downloaded.'
        : 'Write a path relative to this file, and behind `#` a JSON pointer into that one.';
    this.findings.push({ rule, severity: 'error', message, hint, location: this.#map.locate(node, key) });
    return undefined;
  }

  #hoist(kind: Kind, target: Target): string {
    const id = identity(kind, target);
    const known = this.#hoisted.get(id);
    if (known !== undefined) return known;
    const section = this.#section(COMPONENTS[kind]!);
    const name = freeName(section, target);
    const ref = `#/components/${COMPONENTS[kind]}/${name}`;
    this.#hoisted.set(id, ref);
    section[name] = target.node;
    if (isNode(target.node)) this.#visit(target.node, kind, target.file);
    return ref;
  }

  #section(name: string): Node {
    this.#root['components'] ??= {};
    const components = this.#root['components'] as Node;
    components[name] ??= {};
    return components[name] as Node;
  }
}

const identity = (kind: Kind, { file, fragment }: Target): string => `${kind} ${file}#${fragment}`;

/** The fragment's last token, else the file's base name; numbered when another has it. */
function freeName(section: Node, { file, fragment }: Target): string {
  const token = pointerTokens(fragment).at(-1) ?? posix.basename(file, posix.extname(file));
  const base = token.replace(/[^A-Za-z0-9._-]/g, '_');
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`;
    if (!Object.hasOwn(section, name)) return name;
  }
}

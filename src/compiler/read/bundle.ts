import { ComponentNames } from './component-names.ts';
import { expandMaps } from './expand-maps.ts';
import type { Report } from './forgive.ts';
import { type Child, COMPONENTS, childrenOf, isNode, type Kind, type Node } from './grammar.ts';
import type { Resolver } from './resolver.ts';
import type { SourceMap } from './source-map.ts';

/**
 * Bundles many files into one document, in place: objects of other files move into `components`, and every reference
 * becomes local. Nodes keep their identity, so that their locations in the files stay known.
 */
export function bundle(root: Node, entry: string, resolver: Resolver, map: SourceMap, report: Report): void {
  const bundler = new Bundler(root, entry, resolver, map, report);
  bundler.adoptComponents();
  bundler.visit(root, 'document');
}

/**
 * Kinds whose references are replaced by what they lead to: bundlers allow a `$ref` in place of an operation, and
 * OpenAPI 3.2 one in place of a media type.
 */
const INLINED: ReadonlySet<Kind> = new Set(['operation', 'mediaType']);
const WORDS: Partial<Readonly<Record<Kind, string>>> = { pathItem: 'path item', mediaType: 'media type' };

class Bundler {
  readonly #root: Node;
  readonly #entry: string;
  readonly #resolver: Resolver;
  readonly #map: SourceMap;
  readonly #report: Report;
  readonly #names: ComponentNames;
  readonly #visited = new Set<Node>();
  /** The path items that contain the node being visited. */
  readonly #enclosing = new Set<Node>();

  constructor(root: Node, entry: string, resolver: Resolver, map: SourceMap, report: Report) {
    this.#root = root;
    this.#report = report;
    this.#entry = entry;
    this.#resolver = resolver;
    this.#map = map;
    this.#names = new ComponentNames(root, map);
  }

  /** A component that is only a reference to another file gives its name to the target, wherever else that is used. */
  adoptComponents(): void {
    const components = this.#root['components'];
    if (!isNode(components)) return;
    expandMaps(components, 'components', this.#resolver, this.#map, this.#report);
    const adopted: Child[] = [];
    for (const { holder, key, child, kind } of [...childrenOf(components, 'components')]) {
      const ref = child['$ref'];
      if (typeof ref !== 'string' || ref.startsWith('#') || Object.keys(child).length > 1) continue;
      const target = this.#resolver.resolve(child, '$ref', kind);
      if (!target) this.#visited.add(child);
      if (!target || target.file === this.#entry || this.#names.referenceTo(kind, target)) continue;
      this.#names.adopt(kind, target, key);
      holder[key] = target.node;
      if (isNode(target.node)) adopted.push({ holder, key, child: target.node, kind });
    }
    for (const child of adopted) this.#visitChild(child);
  }

  visit(node: Node, kind: Kind): void {
    if (this.#visited.has(node)) return;
    this.#visited.add(node);
    if (kind === 'discriminator') this.#mapping(node);
    else if (typeof node['$ref'] === 'string') this.#localise(node, '$ref', kind);
    if (kind === 'pathItem') this.#enclosing.add(node);
    expandMaps(node, kind, this.#resolver, this.#map, this.#report);
    for (const child of [...childrenOf(node, kind)]) this.#visitChild(child);
    this.#enclosing.delete(node);
  }

  #visitChild({ holder, key, child, kind }: Child): void {
    if (kind === 'pathItem') holder[key] = this.#pathItem(child);
    else if (INLINED.has(kind)) holder[key] = this.#inlined(child, kind);
    else this.visit(child, kind);
  }

  /** The object itself, or what its reference leads to. */
  #inlined(node: Node, kind: Kind, passed: ReadonlySet<Node> = new Set()): Node {
    if (typeof node['$ref'] !== 'string' || this.#visited.has(node)) {
      this.visit(node, kind);
      return node;
    }
    if (passed.has(node)) return this.#circular(node, kind);
    const target = this.#resolver.resolve(node, '$ref', kind);
    if (target && isNode(target.node)) return this.#inlined(target.node, kind, new Set([...passed, node]));
    this.#visited.add(node);
    return node;
  }

  /**
   * Inlines path items, because not every tool follows their references. Members beside the reference take precedence
   * over those of the target.
   */
  #pathItem(item: Node, passed: ReadonlySet<Node> = new Set()): Node {
    if (typeof item['$ref'] !== 'string') this.visit(item, 'pathItem');
    if (typeof item['$ref'] !== 'string' || this.#visited.has(item)) return item;
    if (passed.has(item)) return this.#circular(item, 'pathItem');
    const target = this.#resolver.resolve(item, '$ref', 'pathItem');
    if (!target || !isNode(target.node)) this.#visited.add(item);
    else if (this.#enclosing.has(target.node)) this.visit(item, 'pathItem');
    else return this.#merge(item, this.#pathItem(target.node, new Set([...passed, item])));
    return item;
  }

  #merge(item: Node, target: Node): Node {
    if (Object.keys(item).length === 1) return target;
    delete item['$ref'];
    this.visit(item, 'pathItem');
    for (const [key, value] of Object.entries(target)) {
      if (Object.hasOwn(item, key)) continue;
      item[key] = value;
      this.#map.setKey(item, key, this.#map.locate(target, key));
    }
    return item;
  }

  #circular(item: Node, kind: Kind): Node {
    this.#visited.add(item);
    const message = 'This reference is circular and never reaches an object.';
    const hint = `Replace one of the references by the ${WORDS[kind] ?? kind} itself.`;
    this.#resolver.refuse(item, '$ref', 'reference-circular', message, hint);
    return item;
  }

  /** `discriminator.mapping` holds references or schema names (OpenAPI 3.1, 4.8.25). */
  #mapping(node: Node): void {
    const mapping = node['mapping'];
    if (!isNode(mapping)) return;
    for (const [value, ref] of Object.entries(mapping)) {
      if (typeof ref !== 'string' || !/[#/.]/.test(ref) || this.#isSchemaName(ref)) continue;
      this.#localise(mapping, value, 'schema');
    }
  }

  #isSchemaName(name: string): boolean {
    const components = this.#root['components'];
    const schemas = isNode(components) ? components['schemas'] : undefined;
    return isNode(schemas) && Object.hasOwn(schemas, name);
  }

  #localise(node: Node, key: string, kind: Kind): void {
    const target = this.#resolver.resolve(node, key, kind);
    if (!target || COMPONENTS[kind] === undefined) return;
    if (target.file === this.#entry) node[key] = (node[key] as string).replace(/^[^#]*#?/, '#');
    else node[key] = this.#names.referenceTo(kind, target) ?? this.#names.add(kind, target);
    if (isNode(target.node)) this.visit(target.node, kind);
  }
}

import { HTTP_METHODS, type HttpMethod, type OpenApiDocument, type Operation } from '../../descriptor/document.ts';
import { pointerOfFragment, pointerTokens, valueAt } from '../../descriptor/json-pointer.ts';

/**
 * A copy that fastify-openapi-glue may dereference in place, without what it would not come to an end with. Fastify refuses
 * bodies of GET and HEAD (RFC 9110, 9.3.1). `served`: the operations that it is to mount, if not all.
 */
export function glueDocument(document: OpenApiDocument, served?: ReadonlySet<string>): OpenApiDocument {
  const copy = structuredClone(document);
  leaveOnlyReferences(copy, document);
  new References(copy).measure(copy);
  for (const item of Object.values(copy.paths)) {
    const operations: { [method in HttpMethod]?: Operation } = item;
    for (const method of HTTP_METHODS)
      if (served && operations[method] && !served.has(operations[method].operationId!)) delete operations[method];
    for (const method of ['get', 'head'] as const) {
      const operation: { requestBody?: unknown } | undefined = item[method];
      if (operation) delete operation.requestBody;
    }
  }
  return copy;
}

type Node = Record<string, unknown>;

/** Members that glue takes for references and anchors wherever they stand, in examples and as names of properties, too. */
const POINTERS = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$schema'];

/** Removes what glue would follow and fail, and spells references as it can follow them: without percent-encoding. */
function leaveOnlyReferences(value: unknown, document: OpenApiDocument): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  for (const name of POINTERS) delete node[name];
  if ('$ref' in node) {
    const pointer = typeof node['$ref'] === 'string' ? pointerOfFragment(node['$ref'].replace(/^#/, '')) : undefined;
    const isFollowed = pointer !== undefined && !/[#%]/.test(pointer) && valueAt(document, pointerTokens(pointer));
    if (isFollowed) node['$ref'] = `#${pointer}`;
    else delete node['$ref'];
  }
  for (const member of Object.values(node)) leaveOnlyReferences(member, document);
}

/** Without its reference a schema takes anything; no other object may lack it. */
function isOfSchema(reference: string): boolean {
  const [section, kind, , ...deeper] = pointerTokens(reference.slice(1));
  if (section === 'components' && deeper.length === 0) return kind === 'schemas';
  return deeper.includes('schema') || kind === 'schemas';
}

/** Nodes that a reference may stand for. */
const MAX_NODES = 2_000;

/**
 * Glue visits what is referred to once for each way that leads there, and the ways of schemas that refer to each other
 * are too many to count. References that lead back, or to too much, are cut: Fastify only shows schemas to its plugins.
 */
class References {
  readonly #root: unknown;
  readonly #sizes = new Map<string, number>();
  /** References that are being followed. */
  readonly #open = new Set<string>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Cuts references in the value, and counts the nodes that it has with the others followed. */
  measure(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0;
    const node = value as Node;
    let size = 1;
    const reference = node['$ref'];
    if (typeof reference === 'string') {
      const target = this.#sizeOf(reference);
      // What it stands for may lead back to this node, which has then been cut there.
      if ((target === undefined || target > MAX_NODES) && isOfSchema(reference)) delete node['$ref'];
      else if ('$ref' in node) size += target ?? 0;
    }
    for (const member of Object.values(node)) size += this.measure(member);
    return size;
  }

  /** Undefined when the reference is inside what it refers to. */
  #sizeOf(reference: string): number | undefined {
    const known = this.#sizes.get(reference);
    if (known !== undefined) return known;
    if (this.#open.has(reference)) return undefined;
    this.#open.add(reference);
    const size = this.measure(valueAt(this.#root, pointerTokens(reference.slice(1))));
    this.#open.delete(reference);
    this.#sizes.set(reference, size);
    return size;
  }
}

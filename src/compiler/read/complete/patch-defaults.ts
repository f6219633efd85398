import type { MediaType } from '../../../descriptor/document.ts';
import { schemaUri } from '../../../descriptor/references.ts';
import { isSchemaObject } from '../../json-schema/flat-schema.ts';
import { schemaNameOf } from '../../json-schema/references.ts';
import { schemasBelow, schemasOf } from '../../json-schema/schemas-of.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { namedSchemas } from '../../model/schemas.ts';
import type { Completed } from './implied-patterns.ts';

type Node = Record<string, unknown>;
type Schemas = Record<string, Node>;

/**
 * Removes, in place, the defaults in merge patches: generated clients send defaults, and would set what nobody has changed. A
 * default of a schema that patches share with others moves to the places that refer to it; a shared schema with defaults
 * inside gets a copy without them for patches, `<Name>Patch`. No two places may share an object.
 */
export function removePatchDefaults(completed: Completed): void {
  if (patchDefaults(completed).length > 0) new PatchDefaults(completed).remove();
}

const MERGE_PATCH = /^application\/merge-patch\+json\b/i;

/** The schema objects in merge patches (RFC 7396), and in what the same bodies may be beside them. */
function inPatchBodies(operations: readonly OperationDraft[]): readonly Node[] {
  const contents = new Set(operations.map(({ body }) => Object(body?.content) as Readonly<Record<string, MediaType>>));
  return [...contents]
    .filter((content) => Object.keys(content).some((type) => MERGE_PATCH.test(type)))
    .flatMap(Object.values<MediaType>)
    .flatMap(({ schema }) => schemasBelow(schema) as readonly Node[]);
}

/** The schema objects with a default that merge patches reach; each with the component that it stands in, if in one. */
export function patchDefaults({
  document,
  operations,
}: Completed): readonly { readonly node: object; readonly schema: string | undefined }[] {
  const schemas = namedSchemas(document) as Schemas;
  const inline = inPatchBodies(operations);
  const named = [...reached(schemas, inline)].flatMap((name) =>
    schemasBelow(schemas[name]).map((node) => ({ node, schema: name })),
  );
  return [...inline.map((node) => ({ node, schema: undefined })), ...named].filter(({ node }) => 'default' in node);
}

/** Names of the components that the nodes refer to, directly or indirectly. */
function reached(schemas: Schemas, nodes: readonly Node[]): Set<string> {
  const names = new Set<string>();
  const waiting = [...nodes];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const name = schemaNameOf(node);
    if (name === undefined || names.has(name) || !isSchemaObject(schemas[name])) continue;
    names.add(name);
    waiting.push(...(schemasBelow(schemas[name]) as Node[]));
  }
  return names;
}

/** Changes a document in place. */
class PatchDefaults {
  readonly #schemas: Schemas;
  /** Schema objects that stand in bodies of patches. */
  readonly #inline: readonly Node[];
  /** Schemas that only patches reach. */
  readonly #own: readonly string[];
  /** Schemas that patches share with others. */
  readonly #shared: readonly string[];
  /** Schema objects that apply outside of patches. */
  readonly #others: readonly Node[];

  constructor({ document, operations }: Completed) {
    this.#schemas = namedSchemas(document) as Schemas;
    this.#inline = inPatchBodies(operations);
    const patched = reached(this.#schemas, this.#inline);
    const inPatches = new Set<unknown>([...this.#inline, ...[...patched].flatMap((name) => this.#nodesOf(name))]);
    const outside = (schemasOf(document) as readonly Node[]).filter((node) => !inPatches.has(node));
    const needed = reached(this.#schemas, outside);
    this.#own = [...patched].filter((name) => !needed.has(name));
    this.#shared = [...patched].filter((name) => needed.has(name));
    this.#others = [...outside, ...this.#shared.flatMap((name) => this.#nodesOf(name))];
  }

  remove(): void {
    for (const name of this.#shared) this.#moveDefault(name);
    const renamed = this.#copied();
    for (const name of this.#own) strip(this.#nodesOf(name), renamed);
    strip(this.#inline, renamed);
  }

  #nodesOf(name: string): readonly Node[] {
    return schemasBelow(this.#schemas[name]) as readonly Node[];
  }

  /** From a shared schema to those that refer to it, and on from one that is shared itself. */
  #moveDefault(name: string): void {
    const schema = this.#schemas[name]!;
    if (!('default' in schema)) return;
    const { default: value } = schema;
    delete schema['default'];
    const parts = new Set(this.#others.flatMap(partsOf));
    for (const node of this.#others) {
      if (schemaNameOf(node) !== name || parts.has(node) || 'default' in node) continue;
      node['default'] = value;
      const holder = this.#shared.find((other) => this.#schemas[other] === node);
      if (holder !== undefined) this.#moveDefault(holder);
    }
  }

  /** Copies the shared schemas that still have defaults inside; their new names by the old. */
  #copied(): ReadonlyMap<string, string> {
    const affected = new Set<string>();
    const isAffected = (node: Node): boolean => 'default' in node || affected.has(schemaNameOf(node) ?? '');
    for (let before = -1; before < affected.size; ) {
      before = affected.size;
      for (const name of this.#shared) if (this.#nodesOf(name).some(isAffected)) affected.add(name);
    }
    const renamed = new Map([...affected].map((name) => [name, this.#freeName(`${name}Patch`)]));
    for (const [name, other] of renamed) {
      this.#schemas[other] = structuredClone(this.#schemas[name]!);
      strip(this.#nodesOf(other), renamed);
    }
    return renamed;
  }

  #freeName(name: string): string {
    return Object.hasOwn(this.#schemas, name) ? this.#freeName(`${name}Patch`) : name;
  }
}

/** Schemas of items and of further properties: their defaults mean nothing. */
const partsOf = (node: Node): readonly unknown[] => [
  node['items'],
  node['additionalProperties'],
  ...(Array.isArray(node['prefixItems']) ? node['prefixItems'] : []),
];

function strip(nodes: readonly Node[], renamed: ReadonlyMap<string, string>): void {
  for (const node of nodes) {
    delete node['default'];
    const name = renamed.get(schemaNameOf(node) ?? '');
    if (name !== undefined) node['$ref'] = schemaUri(name);
  }
  for (const node of nodes)
    if (isSchemaObject(node['discriminator'])) nameBranches(node, node['discriminator'] as Node, renamed);
}

/** A discriminator finds branches by the names of their schemas, unless its mapping names them (OpenAPI 3.1, 4.8.25.4). */
function nameBranches(union: Node, discriminator: Node, renamed: ReadonlyMap<string, string>): void {
  const branches = [union['oneOf'] ?? union['anyOf']].flat().map(schemaNameOf);
  const implied = [...renamed].filter(([, name]) => branches.includes(name));
  const given = Object.entries((discriminator['mapping'] ?? {}) as Readonly<Record<string, string>>);
  const mapped = given.map(([value, target]) => {
    const name = renamed.get(schemaNameOf({ $ref: target }) ?? target);
    return [value, name === undefined ? target : schemaUri(name)] as const;
  });
  if (mapped.length === 0) mapped.push(...implied.map(([value, name]) => [value, schemaUri(name)] as const));
  if (mapped.length > 0) discriminator['mapping'] = Object.fromEntries(mapped);
}

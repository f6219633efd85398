import { DEFAULT_MAPPING } from '../../descriptor/discriminator.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { schemaNameOf, schemaUri } from '../../descriptor/references.ts';
import { WholeSchemas } from '../json-schema/whole-schema.ts';
import { asNode, isNode, type Node, nodesBelow } from './grammar.ts';
import type { SourceMap } from './source-map.ts';

/** Keywords that describe a value for readers. */
const ANNOTATIONS = ['title', 'description', 'externalDocs', 'deprecated', 'default', 'example', 'examples'];
const UNIONS = ['oneOf', 'anyOf'] as const;

/**
 * Completes inheritance (OpenAPI 3.1, 4.8.25) in place. A schema with a discriminator, whose children contain it in their `allOf`,
 * becomes a union of itself and its children. The schema itself moves to `<Name>Base`, which the children refer to.
 */
export function completeInheritance(document: OpenApiDocument, map: SourceMap): void {
  const schemas = asNode(document.components?.schemas ?? {});
  const bases = new Map(Object.entries(schemas).map(([name, schema]) => [name, basesOf(schema)]));
  const parents = Object.keys(schemas)
    .map((name) => ({ name, children: [...bases.keys()].filter((child) => inherits(child, name, bases)) }))
    .filter(({ name, children }) => children.length > 0 && isParent(schemas[name] as Node, children));
  if (parents.length === 0) return;
  const wholes = new WholeSchemas(document);
  const named = parents.map((parent) => ({
    ...parent,
    base: freeName(schemas, `${parent.name}Base`),
    values: valuesOf(schemas, wholes, parent.name, parent.children),
  }));
  const nodes = [...nodesBelow(document, 'document')].filter(({ kind }) => kind === 'schema').map(({ node }) => node);
  for (const parent of named) refer(schemas, nodes, parent);
  for (const parent of named) {
    split(schemas, parent, new Map(named.map(({ name, base }) => [name, base])));
    map.setKey(schemas, parent.base, map.locate(schemas, parent.name));
  }
  map.inherit(schemas);
}

/** Names of the schemas that a schema contains by `allOf`. */
function basesOf(schema: unknown): readonly string[] {
  return allOfParts(schema).flatMap((part) => schemaNameOf(part) ?? []);
}

function allOfParts(schema: unknown): readonly Node[] {
  if (!isNode(schema) || !Array.isArray(schema['allOf'])) return [];
  return schema['allOf'].filter(isNode).flatMap((part) => [part, ...allOfParts(part)]);
}

function inherits(child: string, parent: string, bases: ReadonlyMap<string, readonly string[]>): boolean {
  const reached = new Set<string>();
  const waiting = [...(bases.get(child) ?? [])];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    waiting.push(...(bases.get(name) ?? []));
  }
  return child !== parent && reached.has(parent) && !reached.has(child);
}

/** A parent has a discriminator, or is already a union of its children. */
function isParent(schema: Node, children: readonly string[]): boolean {
  const branches = UNIONS.flatMap((union) => (schema[union] as readonly unknown[] | undefined) ?? []);
  if (branches.length > 0) return branches.some((branch) => children.includes(schemaNameOf(branch) ?? ''));
  return isNode(schema['discriminator']);
}

interface Values {
  /** Each value of the discriminator, with the schema that it names. */
  readonly byName: ReadonlyMap<unknown, string>;
  /** Whether other values, or none, are values of the parent. */
  readonly isOpen: boolean;
}

/** A value names a schema by `mapping`, else by the `const` or `enum` of the child, else by the name of the child. */
function valuesOf(schemas: Node, wholes: WholeSchemas, parent: string, children: readonly string[]): Values {
  const { propertyName = '', mapping = {} } = ((schemas[parent] as Node)['discriminator'] ?? {}) as Discriminator;
  const whole = wholes.of(schemas[parent] as object);
  const declared = (name: string) =>
    wholes.member(wholes.of(schemas[name] as object), propertyName)?.schema.enum as readonly unknown[] | undefined;
  const all = declared(parent);
  const byName = new Map<unknown, string>();
  for (const [value, target] of Object.entries(mapping)) {
    const name = schemaNameOf({ $ref: target }) ?? target;
    if (name === parent || children.includes(name)) byName.set(value, name);
  }
  const mapped = new Set(byName.values());
  for (const child of children.filter((one) => !mapped.has(one))) {
    const own = declared(child);
    const values = own && own.length < (all?.length ?? Number.POSITIVE_INFINITY) ? own : [child];
    for (const value of values) if (!byName.has(value) && (all?.includes(value) ?? true)) byName.set(value, child);
  }
  for (const value of all ?? []) if (!byName.has(value)) byName.set(value, parent);
  return { byName, isOpen: !all || !(whole.schema.required ?? []).includes(propertyName) };
}

interface Discriminator {
  readonly propertyName?: string;
  readonly mapping?: Readonly<Record<string, string>>;
}

interface Parent {
  readonly name: string;
  readonly base: string;
  readonly children: readonly string[];
  readonly values: Values;
}

/** Children, unions with children and pointers into the parent refer to the parent itself. */
function refer(schemas: Node, nodes: readonly Node[], { name, base, children }: Parent): void {
  const itself = (node: unknown): void => {
    if (isNode(node) && schemaNameOf(node) === name) node['$ref'] = schemaUri(base);
  };
  for (const child of children) for (const part of allOfParts(schemas[child])) itself(part);
  for (const node of nodes) {
    const { $ref, discriminator } = node;
    if (typeof $ref === 'string' && $ref.startsWith(`${schemaUri(name)}/`))
      node['$ref'] = schemaUri(base) + $ref.slice(schemaUri(name).length);
    for (const union of UNIONS) {
      const branches = (node[union] as readonly unknown[] | undefined) ?? [];
      if (!branches.some((branch) => children.includes(schemaNameOf(branch) ?? ''))) continue;
      for (const branch of branches) itself(branch);
      const mapping = isNode(discriminator) && isNode(discriminator['mapping']) ? discriminator['mapping'] : {};
      for (const [value, target] of Object.entries(mapping))
        if (target === name || target === schemaUri(name)) mapping[value] = schemaUri(base);
    }
  }
}

/** Moves the parent itself to its base, and leaves the union in its place. */
function split(schemas: Node, { name, base, children, values }: Parent, itself: ReadonlyMap<string, string>): void {
  const { discriminator, oneOf, anyOf, ...own } = schemas[name] as Node;
  schemas[base] = own;
  const union: Node = { ...(oneOf !== undefined && { oneOf }), ...(anyOf !== undefined && { anyOf }) };
  const isBase = (branch: Node): boolean => [base, ...children].includes(schemaNameOf(branch) ?? '');
  for (const keyword of ANNOTATIONS) {
    if (!(keyword in own)) continue;
    union[keyword] = own[keyword];
    delete own[keyword];
  }
  schemas[name] = union;
  if (oneOf !== undefined || anyOf !== undefined) {
    if (![oneOf ?? anyOf].flat().every((branch) => isBase(branch as Node)))
      union['allOf'] = [{ $ref: schemaUri(base) }];
    if (discriminator) union['discriminator'] = discriminator;
    return;
  }
  const target = (of: string): string => schemaUri(itself.get(of) ?? of);
  const { byName, isOpen } = values;
  const branches = new Set([...[...byName.values()].map(target), ...(isOpen ? [target(name)] : [])]);
  union['oneOf'] = [...branches].map(($ref) => ({ $ref }));
  union['discriminator'] = {
    ...(discriminator as Node),
    mapping: Object.fromEntries([...byName].map(([value, of]) => [String(value), target(of)])),
    ...(isOpen && { [DEFAULT_MAPPING]: target(name) }),
  };
}

function freeName(schemas: Node, name: string): string {
  return Object.hasOwn(schemas, name) ? freeName(schemas, `${name}_`) : name;
}

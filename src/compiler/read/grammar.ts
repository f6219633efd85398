import { isPlainObject } from '../../descriptor/plain-object.ts';
/** The objects of OpenAPI 3.1 that can hold or be a reference. */
export type Kind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'mediaType'
  | 'encoding'
  | 'response'
  | 'header'
  | 'example'
  | 'link'
  | 'callback'
  | 'securityScheme'
  | 'discriminator'
  | 'schema';

/** A member is an object of a kind, a list or a map of such objects, or a map that may also have extensions. */
export interface Shape {
  readonly as: 'one' | 'list' | 'map' | 'extensibleMap';
  readonly kind: Kind;
}

const one = (kind: Kind): Shape => ({ as: 'one', kind });
const map = (kind: Kind): Shape => ({ as: 'map', kind });
const extensibleMap = (kind: Kind): Shape => ({ as: 'extensibleMap', kind });
const list = (kind: Kind): Shape => ({ as: 'list', kind });

const members = (names: string, shape: Shape): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, shape]));

const parameter = { schema: one('schema'), examples: map('example'), content: map('mediaType') };

/** The members that lead to further objects. All else (examples, defaults, enums, extensions) is data. */
export const GRAMMAR: Readonly<Record<Kind, Readonly<Record<string, Shape>>>> = {
  document: { paths: extensibleMap('pathItem'), webhooks: map('pathItem'), components: one('components') },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('requestBody'),
    headers: map('header'),
    securitySchemes: map('securityScheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('pathItem'),
  },
  pathItem: {
    parameters: list('parameter'),
    ...members('get put post delete options head patch trace', one('operation')),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: extensibleMap('response'),
    callbacks: map('callback'),
  },
  parameter,
  header: parameter,
  requestBody: { content: map('mediaType') },
  mediaType: { schema: one('schema'), examples: map('example'), encoding: map('encoding') },
  encoding: { headers: map('header') },
  response: { headers: map('header'), content: map('mediaType'), links: map('link') },
  example: {},
  link: {},
  callback: {},
  securityScheme: {},
  discriminator: {},
  schema: {
    ...members('properties patternProperties $defs definitions dependentSchemas', map('schema')),
    ...members('allOf anyOf oneOf prefixItems', list('schema')),
    ...members('items additionalProperties not if then else contains propertyNames', one('schema')),
    ...members('unevaluatedItems unevaluatedProperties contentSchema', one('schema')),
    discriminator: one('discriminator'),
  },
};

/** Where components of a kind live; kinds that cannot be components are absent. */
export const COMPONENTS: Partial<Readonly<Record<Kind, string>>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
  pathItem: 'pathItems',
};

export type Node = Record<string, unknown>;

/** An object of a document as a node of it. */
export const asNode = (value: object): Node => value as Node;

export const isNode = (value: unknown): value is Node => isPlainObject(value);

const isExtension = (key: string): boolean => key.startsWith('x-');

/** An object below a node, with its holder (the node, or a map or list of it) and its key there. */
export interface Child {
  readonly holder: Node;
  readonly key: string;
  readonly child: Node;
  readonly kind: Kind;
}

function shapeOf(kind: Kind, key: string): Shape | undefined {
  if (kind === 'callback') return isExtension(key) ? undefined : one('pathItem');
  return Object.hasOwn(GRAMMAR[kind], key) ? GRAMMAR[kind][key] : undefined;
}

/** The objects directly below a node. */
export function* childrenOf(node: Node, kind: Kind): Generator<Child> {
  for (const [key, value] of Object.entries(node)) {
    const shape = shapeOf(kind, key);
    if (!shape || typeof value !== 'object' || value === null) continue;
    if (shape.as === 'one') {
      if (isNode(value)) yield { holder: node, key, child: value, kind: shape.kind };
      continue;
    }
    const holder = value as Node;
    for (const [member, child] of Object.entries(holder)) {
      if (shape.as === 'extensibleMap' && isExtension(member)) continue;
      if (isNode(child)) yield { holder, key: member, child, kind: shape.kind };
    }
  }
}

/** A node and everything below it, each once; what is done to a node is done before its children are looked for. */
export function* nodesBelow(start: object, kind: Kind): Generator<{ readonly node: Node; readonly kind: Kind }> {
  const visited = new Set<Node>();
  const waiting: { readonly node: Node; readonly kind: Kind }[] = [{ node: asNode(start), kind }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (visited.has(next.node)) continue;
    visited.add(next.node);
    yield next;
    const below = [...childrenOf(next.node, next.kind)];
    for (const { child, kind } of below.reverse()) waiting.push({ node: child, kind });
  }
}

/** The maps of objects that a node has. */
export const mapsOf = (node: Node, kind: Kind): readonly { key: string; value: Node; kind: Kind }[] =>
  Object.entries(node).flatMap(([key, value]) => {
    const shape = shapeOf(kind, key);
    const isMap = shape?.as === 'map' || shape?.as === 'extensibleMap';
    return isMap && isNode(value) ? [{ key, value, kind: shape.kind }] : [];
  });

import {
  type ASTNode,
  astFromValue,
  type ConstDirectiveNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getLocation,
  type InputValueDefinitionNode,
  type Location,
  print,
  type SchemaDefinitionNode,
  Source,
} from 'graphql';
import type { Fix } from '../../findings/fix.ts';

/** A node of the author's files; those of built-in definitions are never edited. */
type Node = ASTNode | null | undefined;

/** A node that may have directives. */
type Directed = (ASTNode & { readonly directives?: readonly ConstDirectiveNode[] | undefined }) | null | undefined;

const WITH_MEMBERS = new Set(['ObjectTypeDefinition', 'InputObjectTypeDefinition', 'EnumTypeDefinition']);

/** Adds a member as the last of a type, an input or an enum. Undefined if it has no braces yet. */
export function addMember(node: Node, text: string): Fix | undefined {
  const brace = node?.loc?.endToken;
  if (!node?.loc || brace?.kind !== '}' || !WITH_MEMBERS.has(node.kind)) return undefined;
  const isInline = brace.prev?.line === brace.line;
  if (isInline) return edit(node.loc, brace.prev!.end, brace.prev!.end, ` ${text}`);
  const lineStart = brace.start - brace.column + 1;
  return edit(node.loc, lineStart, lineStart, `${text.replaceAll(/^(?=.)/gm, '  ')}\n`);
}

/** Adds a text between the head of the `schema` definition and its braces. */
export function addBeforeMembers(node: SchemaDefinitionNode | null | undefined, text: string): Fix | undefined {
  const brace = node?.operationTypes[0]?.loc?.startToken.prev;
  return node?.loc && brace?.prev ? edit(node.loc, brace.prev.end, brace.prev.end, ` ${text}`) : undefined;
}

/** Writes the `schema` definition that a contract has left out, with a directive, at the top of the file of its queries. */
export function addSchema(schema: GraphQLSchema, directive: string): Fix | undefined {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const lines = Object.entries(roots).flatMap(([operation, type]) => (type ? [`  ${operation}: ${type.name}\n`] : []));
  const loc = roots.query?.astNode?.loc;
  return loc && edit(loc, 0, 0, `schema ${directive} {\n${lines.join('')}}\n\n`);
}

/** Writes a text instead of a node. */
export const replaceNode = (node: Node, text: string): Fix | undefined =>
  node?.loc && edit(node.loc, node.loc.start, node.loc.end, text);

/** Adds a text behind a node. */
export const addAfter = (node: Node, text: string): Fix | undefined =>
  node?.loc && edit(node.loc, node.loc.end, node.loc.end, text);

/** Adds a text at an offset of the file that a node is in. */
export const addAt = (loc: Location, offset: number, text: string): Fix | undefined => edit(loc, offset, offset, text);

/** Removes a node with the space before it. */
export const removeNode = (node: Node): Fix | undefined =>
  node?.loc && edit(node.loc, node.loc.startToken.prev?.end ?? node.loc.start, node.loc.end, '');

/**
 * Writes the directives of one name anew: in place of those that there are, or else behind the node. An empty text
 * removes them.
 */
export function setDirectives(node: Directed, name: string, text: string): Fix | undefined {
  const all = node?.directives ?? [];
  const own = all.filter((one) => one.name.value === name);
  const [first, last] = [own[0]?.loc, own.at(-1)?.loc];
  if (!first || !last) return text === '' ? undefined : addAfter(node, ` ${text}`);
  const others = all.filter(({ loc }) => loc && loc.start > first.start && loc.end < last.start);
  const kept = others.filter((one) => !own.includes(one)).map(({ loc }) => sourceOf(loc!));
  const written = [...(text === '' ? [] : [text]), ...kept].join(' ');
  const start = written === '' ? first.startToken.prev!.end : first.start;
  return edit(first, start, last.end, written);
}

/** Writes the default value of an argument or of an input's field; without a text it is removed. */
export function setDefault(
  node: InputValueDefinitionNode | null | undefined,
  text: string | undefined,
): Fix | undefined {
  const [type, value] = [node?.type.loc, node?.defaultValue?.loc];
  if (!type || (!value && text === undefined)) return undefined;
  return edit(type, type.end, value?.end ?? type.end, text === undefined ? '' : ` = ${text}`);
}

const sourceOf = ({ source, start, end }: Location): string => source.body.slice(start, end);

function edit({ source }: Location, start: number, end: number, text: string): Fix | undefined {
  if (!(source instanceof Source) || source.name === 'built in') return undefined;
  const fix = { file: source.name, ...getLocation(source, start), text };
  return end === start ? fix : { ...fix, end: getLocation(source, end) };
}

interface Defaulted {
  readonly type: GraphQLInputType;
  readonly astNode?: InputValueDefinitionNode | null | undefined;
}

/** Gives an argument or a field of an input the default value that REST has. */
export const defaultFix = ({ type, astNode }: Defaulted, value: unknown): Fix | undefined =>
  setDefault(astNode, value === undefined ? undefined : valueText(value, type));

/** A JSON value as SDL writes it; undefined if it is not a value of the type. */
function valueText(value: unknown, type: GraphQLInputType): string | undefined {
  try {
    const node = astFromValue(value, type);
    return node ? print(node) : undefined;
  } catch {
    // Another finding says that the types differ.
    return undefined;
  }
}

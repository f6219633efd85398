import openapiTS, {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  resolveRef,
  type SchemaObject,
  scanDiscriminators,
  type TransformNodeOptions,
  transformSchema,
  transformSchemaObject,
  tsUnion,
} from 'openapi-typescript';
import ts from 'typescript';
import { type Keep, kept } from '../../descriptor/keep.ts';
import { once } from '../../descriptor/once.ts';
import { BYTES, LIST_NAME } from './type-contents.ts';
import { TypesFault } from './types-fault.ts';

const OPTIONS = { readWriteMarkers: true, defaultNonNullable: false, emptyObjectsUnknown: true, silent: true } as const;
const NOTHING = { openapi: '3.1.0', info: { title: '', version: '' } } as const;
/** How many members are syntax at one time: that of a large document would fill the memory. */
const AT_ONCE = 50;
/** The components that have types, in openapi-typescript's order. */
const KINDS = ['schemas', 'responses', 'parameters', 'requestBodies', 'headers', 'pathItems'] as const;

/**
 * What openapi-typescript prints for a document, made in parts that are kept, and without its own validation: all references are
 * local, and lead somewhere. Throws `TypesFault`.
 */
export async function typesOf(document: OpenAPI3, keep: Keep): Promise<string> {
  // What is being transformed: the place of what cannot be.
  let pointer = '';
  const discriminators = scanDiscriminators(document, OPTIONS);
  const resolve = <T>($ref: string) => resolveRef<T>(document, $ref, OPTIONS);
  const transform = (schema: object | boolean, options: TransformNodeOptions) => {
    pointer = (options.path ?? '').replace(/^#/, '');
    if (typeof schema === 'boolean') return undefined;
    return BYTES in schema ? ts.factory.createTypeReferenceNode('Blob') : listType(schema, options);
  };
  const context = { ...(await usualContext()), discriminators, resolve, transform };
  const partOf = async (part: Partial<OpenAPI3>, textOf: TextOf): Promise<Part> => {
    const own = JSON.stringify(part);
    const others = [...new Set(own.match(REFERENCE))].map((one) => [one, resolve(JSON.parse(`{${one}}`).$ref)]);
    const inputs = [own, JSON.stringify(others), JSON.stringify(discriminators)];
    return JSON.parse(
      await kept(keep, 'types-part', inputs, async () => JSON.stringify(transformed(part, context, textOf))),
    );
  };
  try {
    return await printed(document, partOf);
  } catch (error) {
    throw new TypesFault(pointer, (error as Error).message);
  }
}

/** A reference in the text of JSON; one in a text of JSON has its quotes escaped. */
const REFERENCE = /"\$ref":"(?:[^"\\]|\\.)*"/g;

/** The context that openapi-typescript makes of the options, asked on the way through a document of one schema. */
const usualContext = once(async () => {
  const asked = Promise.withResolvers<GlobalContext>();
  const postTransform = (_: unknown, { ctx }: { ctx: GlobalContext }) => {
    asked.resolve(ctx);
    return undefined;
  };
  await openapiTS({ ...NOTHING, components: { schemas: { It: { type: 'string' } } } }, { ...OPTIONS, postTransform });
  return { ...(await asked.promise), postTransform: undefined };
});

/** A part of a document. */
interface Part {
  readonly text: string;
  /** What follows the declarations of the document's members, by name, in the order in which it is first needed. */
  readonly footer: readonly (readonly [name: string, text: string])[];
}

/** What is taken of the declarations of `paths`, `webhooks`, `components` and `$defs`. */
type TextOf = (declarations: readonly Declaration[]) => string;

function transformed(part: Partial<OpenAPI3>, context: GlobalContext, textOf: TextOf): Part {
  const nodes = transformSchema({ ...NOTHING, ...part }, { ...context, injectFooter: [] }).filter(isDeclaration);
  const own = nodes.findIndex((node) => nameOf(node) === '$defs') + 1;
  const footer = nodes.slice(own).flatMap((node): [string, string][] => {
    if (ts.isInterfaceDeclaration(node)) return [[nameOf(node), membersText(node.members)]];
    return nameOf(node) === 'operations' ? [] : [[nameOf(node), astToString(node)]];
  });
  return { text: textOf(nodes.slice(0, own)), footer };
}

async function printed(
  { paths = {}, components, ...rest }: OpenAPI3,
  partOf: (part: Partial<OpenAPI3>, textOf: TextOf) => Promise<Part>,
): Promise<string> {
  const footer = new Map<string, string>();
  const textOf = async (part: Partial<OpenAPI3>, take: TextOf): Promise<string> => {
    const made = await partOf(part, take);
    for (const [name, text] of made.footer)
      footer.set(name, name === 'operations' ? (footer.get(name) ?? '') + text : text);
    return made.text;
  };
  let pathsText = '';
  for (const some of parts(paths))
    pathsText += await textOf({ paths: some }, (nodes) => membersText(membersOf(nodes, 'paths')));
  const others = await textOf({ webhooks: rest.webhooks ?? {}, ...(rest.$defs && { $defs: rest.$defs }) }, (nodes) =>
    JSON.stringify(nodes.map((node) => [nameOf(node), astToString(node)])),
  );
  let kinds = '';
  for (const kind of KINDS) {
    let texts = '';
    for (const some of parts(components?.[kind] ?? {}))
      texts += await textOf({ components: { [kind]: some } }, (nodes) => componentsText(nodes, kind));
    kinds += texts === '' ? `    ${kind}: never;\n` : `    ${kind}: {\n${texts}    };\n`;
  }
  const own = (JSON.parse(others) as [string, string][]).map(([name, text]) => {
    if (name === 'paths' && pathsText !== '') return interfaceOf(name, pathsText);
    return name === 'components' && components ? interfaceOf(name, kinds) : text;
  });
  const footers = [...footer].map(([name, text]) => (name === 'operations' ? interfaceOf(name, text) : text));
  return [...own, ...footers, ...(footer.has('operations') ? [] : [NO_OPERATIONS])].join('');
}

function membersOf(nodes: readonly Declaration[], name: string): readonly ts.TypeElement[] {
  const node = nodes.find((one) => nameOf(one) === name);
  return node && ts.isInterfaceDeclaration(node) ? node.members : [];
}

function componentsText(nodes: readonly Declaration[], kind: (typeof KINDS)[number]): string {
  const member = membersOf(nodes, 'components')[KINDS.indexOf(kind)];
  const isFull = member && ts.isPropertySignature(member) && member.type && ts.isTypeLiteralNode(member.type);
  return isFull ? deepMembersText(member.type.members) : '';
}

const NO_OPERATIONS = 'export type operations = Record<string, never>;\n';
const interfaceOf = (name: string, members: string): string => `export interface ${name} {\n${members}}\n`;

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
const isDeclaration = (node: ts.Node): node is Declaration =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
const nameOf = ({ name }: Declaration): string => name.text;

/** As they are printed in a declaration; `deep`: in one of its members. */
function membersText(members: readonly ts.TypeElement[], open = 'interface Of {\n', close = '}\n'): string {
  if (members.length === 0) return '';
  const text = astToString(ts.factory.createInterfaceDeclaration(undefined, 'Of', undefined, undefined, members));
  return text.slice(open.length, -close.length);
}

function deepMembersText(members: readonly ts.TypeElement[]): string {
  const literal = ts.factory.createTypeLiteralNode(members);
  const member = ts.factory.createPropertySignature(undefined, 'of', undefined, literal);
  return membersText([member], 'interface Of {\n    of: {\n', '    };\n}\n');
}

/** The members of an object, some at a time. */
function parts(object: object) {
  const members = Object.entries(object);
  const starts = Array.from({ length: Math.ceil(members.length / AT_ONCE) }, (_, at) => at * AT_ONCE);
  return starts.map((start) => Object.fromEntries(members.slice(start, start + AT_ONCE)));
}

interface List {
  readonly type?: unknown;
  readonly prefixItems?: readonly SchemaObject[];
  readonly items?: SchemaObject | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly [LIST_NAME]?: string;
}

/** The type of an array, or undefined: openapi-typescript has none for open tuples, nor for those that may be shorter. */
function listType(schema: List, options: TransformNodeOptions): ts.TypeNode | undefined {
  if (schema.type !== 'array') return undefined;
  const type = tupleType(schema, options);
  const name = schema[LIST_NAME];
  if (name === undefined) return type;
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  options.ctx.injectFooter.push(ts.factory.createTypeAliasDeclaration(exported, name, undefined, type));
  return ts.factory.createTypeReferenceNode(name);
}

function tupleType(schema: List, options: TransformNodeOptions): ts.TypeNode {
  const { prefixItems = [], items = true, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const others = () => ts.factory.createArrayTypeNode(typeOf(items, options));
  const first = prefixItems.slice(0, maxItems);
  // Views of a tuple that leads to itself would never end.
  if (schema[LIST_NAME] !== undefined && first.length > 0)
    return ts.factory.createArrayTypeNode(tsUnion([...first, items].map((item) => typeOf(item, options))));
  const isOpen = items !== false && maxItems > first.length;
  if (first.length === 0 && isOpen) return others();
  const elements = first.map((item, index) => {
    const type = typeOf(item, options);
    return index < minItems ? type : ts.factory.createOptionalTypeNode(type);
  });
  return ts.factory.createTupleTypeNode([...elements, ...(isOpen ? [ts.factory.createRestTypeNode(others())] : [])]);
}

const typeOf = (schema: SchemaObject | boolean, options: TransformNodeOptions): ts.TypeNode =>
  transformSchemaObject(schema as SchemaObject, options);

import openapiTS, {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  resolveRef,
  scanDiscriminators,
  transformSchema,
} from 'openapi-typescript';
import ts from 'typescript';
import { once } from '../../descriptor/once.ts';
import { TypesFault } from './types-fault.ts';

const OPTIONS = { readWriteMarkers: true, defaultNonNullable: false, silent: true } as const;
const NOTHING = { openapi: '3.1.0', info: { title: '', version: '' } } as const;
/** How many members are syntax at one time: that of a large document would fill the memory. */
const AT_ONCE = 50;
/** The components that have types, in openapi-typescript's order. */
const KINDS = ['schemas', 'responses', 'parameters', 'requestBodies', 'headers', 'pathItems'] as const;

/**
 * What openapi-typescript prints for a document, made in parts, and without its own validation: all references are local, and lead
 * somewhere. Throws `TypesFault`.
 */
export async function typesOf(document: OpenAPI3): Promise<string> {
  // What is being transformed: the place of what cannot be.
  let pointer = '';
  const context = {
    ...(await usualContext()),
    discriminators: scanDiscriminators(document, OPTIONS),
    resolve: <T>($ref: string) => resolveRef<T>(document, $ref, OPTIONS),
    transform: (_: unknown, { path = '' }) => {
      pointer = path.replace(/^#/, '');
      return undefined;
    },
  };
  try {
    return printed(document, context);
  } catch (error) {
    throw new TypesFault(pointer, (error as Error).message);
  }
}

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

function printed({ paths = {}, components, ...rest }: OpenAPI3, context: GlobalContext): string {
  /** What follows the declarations of the document's members, in the order in which it is first needed. */
  const footer = new Map<string, string>();
  const declarationsOf = (part: Partial<OpenAPI3>): readonly Declaration[] => {
    const nodes = transformSchema({ ...NOTHING, ...part }, { ...context, injectFooter: [] }).filter(isDeclaration);
    const own = nodes.findIndex((node) => nameOf(node) === '$defs') + 1;
    for (const node of nodes.slice(own)) {
      const name = nameOf(node);
      if (ts.isInterfaceDeclaration(node)) footer.set(name, (footer.get(name) ?? '') + membersText(node.members));
      else if (name !== 'operations') footer.set(name, astToString(node));
    }
    return nodes.slice(0, own);
  };
  const membersOf = (part: Partial<OpenAPI3>, name: string): readonly ts.TypeElement[] => {
    const node = declarationsOf(part).find((one) => nameOf(one) === name);
    return node && ts.isInterfaceDeclaration(node) ? node.members : [];
  };
  const pathsText = parts(paths)
    .map((some) => membersText(membersOf({ paths: some }, 'paths')))
    .join('');
  const others = declarationsOf(rest);
  const kinds = KINDS.map((kind) => {
    const texts = parts(components?.[kind] ?? {}).map((some) => {
      const member = membersOf({ components: { [kind]: some } }, 'components')[KINDS.indexOf(kind)];
      return member && ts.isPropertySignature(member) && member.type && ts.isTypeLiteralNode(member.type)
        ? deepMembersText(member.type.members)
        : '';
    });
    return texts.length === 0 ? `    ${kind}: never;\n` : `    ${kind}: {\n${texts.join('')}    };\n`;
  });
  const own = others.map((node) => {
    const name = nameOf(node);
    if (name === 'paths' && pathsText !== '') return interfaceOf(name, pathsText);
    return name === 'components' && components ? interfaceOf(name, kinds.join('')) : astToString(node);
  });
  const footers = [...footer].map(([name, text]) => (name === 'operations' ? interfaceOf(name, text) : text));
  return [...own, ...footers, ...(footer.has('operations') ? [] : [NO_OPERATIONS])].join('');
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

import { buildSchema, type GraphQLOutputType, getNamedType, isLeafType, isObjectType, isUnionType } from 'graphql';
import { KEEP_NOTHING, kept } from '../../../descriptor/keep.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { GraphqlModel } from '../../model/model.ts';
import { lowerFirst, upperFirst } from '../../model/naming.ts';
import { propertiesOf } from '../clients/client-graphql.ts';
import { codeName, SCHEMA_TYPES } from '../codegen/lockstep-codegen.ts';
import { pluginLoader } from '../codegen/plugin-loader.ts';
import { codegenSchema, runCodegen } from '../codegen/run-codegen.ts';
import { HEADER, quote } from '../print.ts';
import { documentedFields, type RootField } from '../root-fields.ts';
import { commentOf } from './sdk-errors.ts';

export interface SdkDocuments {
  /** The entry `graphql`: functions and documents, as JavaScript and its declarations. */
  readonly script: string;
  readonly declarations: string;
  /** Types of the documents' data and variables (graphql-codegen). */
  readonly types: string;
}

interface DocumentText {
  /** `ProductsQuery`. */
  readonly name: string;
  readonly text: string;
  readonly description: string;
  readonly isCreating: boolean;
}

type IsProperty = ReturnType<typeof propertiesOf>;

/** How deep values are selected that are not resources themselves. */
const MAX_DEPTH = 6;

/** A document for each field of the root types; it selects every property, and no other resource. */
export async function sdkDocuments(graphql: GraphqlModel, keep = KEEP_NOTHING): Promise<SdkDocuments> {
  const made = () => madeDocuments(graphql);
  return JSON.parse(await kept(keep, 'documents', [JSON.stringify(graphql)], async () => JSON.stringify(await made())));
}

async function madeDocuments({ sdl, descriptor }: GraphqlModel): Promise<SdkDocuments> {
  const schema = buildSchema(sdl, { assumeValid: true });
  const isProperty = propertiesOf(descriptor);
  const documents = documentedFields(schema, descriptor).map((root) => ({
    ...documentOf(root, isProperty),
    isCreating: descriptor.fields[`${root.type.name}.${root.field.name}`]?.kind === 'create',
  }));
  return {
    script: scriptOf(documents),
    declarations: declarationsOf(documents),
    types: await typesOf(sdl, documents),
  };
}

function documentOf({ kind, field }: RootField, isProperty: IsProperty): Omit<DocumentText, 'isCreating'> {
  const variables = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = selectionOf(field.type, isProperty, 0);
  const operation = upperFirst(field.name);
  const head = `${kind} ${operation}${variables && `(${variables})`}`;
  return {
    name: `${codeName(operation)}${upperFirst(kind)}`,
    text: `${head} { ${field.name}${args && `(${args})`}${selection} }`,
    description: field.description ?? '',
  };
}

/** ` { … }`, or nothing for a leaf. */
function selectionOf(given: GraphQLOutputType, isProperty: IsProperty, depth: number): string {
  const type = getNamedType(given);
  if (isLeafType(type)) return '';
  const deeper = (one: GraphQLOutputType) => selectionOf(one, isProperty, depth + 1);
  if (isUnionType(type)) {
    const members = type.getTypes().map((one) => `... on ${one.name}${deeper(one)}`);
    return ` { __typename ${members.join(' ')} }`;
  }
  if (!isObjectType(type)) return ' { __typename }';
  const isPage = type.getFields()['nodes'] !== undefined && type.getFields()['pageInfo'] !== undefined;
  const fields = Object.values(type.getFields()).filter(({ name, args, type: answer }) => {
    if (isPage) return name === 'nodes' || name === 'pageInfo';
    const isDeep = !isLeafType(getNamedType(answer)) && depth >= MAX_DEPTH;
    return isProperty(type.name, name) && args.length === 0 && !isDeep;
  });
  const texts = fields.map((field) => `${field.name}${deeper(field.type)}`);
  return ` { ${texts.length === 0 ? '__typename' : texts.join(' ')} }`;
}

async function typesOf(sdl: string, documents: readonly DocumentText[]): Promise<string> {
  const path = 'documents.ts';
  const files = await runCodegen({
    schema: codegenSchema(sdl),
    documents: documents.map(({ text }) => text).join('\n'),
    pluginLoader: pluginLoader(import.meta.dirname),
    config: SCHEMA_TYPES,
    generates: { [path]: { plugins: ['typescript-operations'] } },
  });
  return lookUp(files, path);
}

const withComment = ({ description }: DocumentText, text: string): string =>
  `${description && `/** ${commentOf(description)} */\n`}export ${text}\n`;

const scriptOf = (
  documents: readonly DocumentText[],
): string => `${HEADER}import { creating, document } from './runtime/graphql.js';
export { document, GraphqlErrors, graphql } from './runtime/graphql.js';
export { subscribe } from './runtime/subscribe.js';
${documents.map((one) => withComment(one, `const ${constantOf(one)} = /* @__PURE__ */ ${one.isCreating ? 'creating' : 'document'}(${quote(one.text)});`)).join('')}`;

const declarationsOf = (
  documents: readonly DocumentText[],
): string => `${HEADER}import type * as Documents from './documents.js';
import { type Document } from './runtime/graphql.js';
export { type Document, document, GraphqlErrors, type GraphqlOptions, graphql } from './runtime/graphql.js';
export { type SubscribeOptions, subscribe } from './runtime/subscribe.js';
export type * from './documents.js';
${documents.map((one) => withComment(one, `declare const ${constantOf(one)}: ${typeOf(one)};`)).join('')}`;

const constantOf = ({ name }: DocumentText): string => lowerFirst(name);
const typeOf = ({ name }: DocumentText): string => `Document<Documents.${name}, Documents.${name}Variables>`;

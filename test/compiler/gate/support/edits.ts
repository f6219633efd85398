import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DocumentNode,
  type FieldDefinitionNode,
  type InputObjectTypeDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  parseConstValue,
  parseType,
  print,
} from 'graphql';
import { type Change, impactOf } from '../../../../src/compiler/gate/changes/change.ts';
import { changesBetween } from '../../../../src/compiler/gate/changes/compare.ts';
import { type Edition, readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { withFolder } from '../../../support/folder.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are changed in ways their types forbid
export type Draft = any;
export type RestEdit = readonly [name: string, edit: (document: Draft) => void];
export type SdlEdit = readonly [name: string, edit: (document: DocumentNode) => DocumentNode];

const GENERATED = join(import.meta.dirname, '..', '..', '..', '..', 'generated');
const document = JSON.parse(await readFile(join(GENERATED, 'openapi.json'), 'utf8'));
// The edits are made in folders without a record.
delete document.info['x-versions'];
const sdl = await readFile(join(GENERATED, 'schema.graphql'), 'utf8');

async function edition(openapi: unknown, schema: string): Promise<Edition> {
  const files = { 'openapi.json': JSON.stringify(openapi), 'schema.graphql': schema };
  const { edition: read, findings } = await withFolder(files, readEdition);
  if (!read) throw new Error(findings.find(({ severity }) => severity === 'error')!.message);
  return read;
}

export const released = await edition(document, sdl);

const edited = (edit: (document: Draft) => void): Draft => {
  const draft = structuredClone(document);
  edit(draft);
  return draft;
};

export const editionOf = (edit: (document: Draft) => void): Promise<Edition> => edition(edited(edit), sdl);

export async function changesOfRest(edit: (document: Draft) => void): Promise<readonly Change[]> {
  return changesBetween(released, await editionOf(edit));
}

/** What differs between two edits of the same contract. */
export async function changesFrom(
  before: (document: Draft) => void,
  after: (document: Draft) => void,
): Promise<readonly Change[]> {
  return changesBetween(await editionOf(before), await editionOf(after));
}

export async function changesOfSdl(edit: (document: DocumentNode) => DocumentNode): Promise<readonly Change[]> {
  return changesBetween(released, await edition(document, print(edit(parse(sdl)))));
}

export { impactOf };

type Fields = ObjectTypeDefinitionNode | InputObjectTypeDefinitionNode;

/** Edits the definition of a type; null removes it. */
export function type<T = Fields>(name: string, edit: (node: T) => T | null) {
  return (node: DocumentNode): DocumentNode => ({
    ...node,
    definitions: node.definitions.flatMap((definition) => {
      if (!('name' in definition) || definition.name?.value !== name || definition.kind === Kind.DIRECTIVE_DEFINITION)
        return [definition];
      const edited = edit(definition as T);
      return edited ? [edited as never] : [];
    }),
  });
}

/** Edits a field of a type or input; null removes it. */
export function field(coordinate: string, edit: (node: Draft) => Draft) {
  const [name, fieldName] = coordinate.split('.') as [string, string];
  return type<Draft>(name, (node) => ({
    ...node,
    fields: node.fields.flatMap((one: FieldDefinitionNode) =>
      one.name.value === fieldName ? [edit(one)].filter((edited) => edited !== null) : [one],
    ),
  }));
}

/** Edits an argument; null removes it. */
export function argument(coordinate: string, name: string, edit: (node: Draft) => Draft) {
  return field(coordinate, (node: FieldDefinitionNode) => ({
    ...node,
    arguments: node.arguments!.flatMap((one) =>
      one.name.value === name ? [edit(one)].filter((edited) => edited !== null) : [one],
    ),
  }));
}

const one = <T>(text: string, kind: string): T => {
  const definition = parse(text).definitions[0] as Draft;
  return kind === 'directive' ? definition.directives[0] : definition.fields[0];
};

export const addField = (name: string, text: string) =>
  type<Draft>(name, (node) => ({ ...node, fields: [...node.fields, one(`type T { ${text} }`, 'field')] }));
export const addInput = (name: string, text: string) =>
  type<Draft>(name, (node) => ({ ...node, fields: [...node.fields, one(`input T { ${text} }`, 'field')] }));
export const addArgument = (coordinate: string, text: string) =>
  field(coordinate, (node: FieldDefinitionNode) => {
    const [added] = one<FieldDefinitionNode>(`type T { f(${text}): Int }`, 'field').arguments!;
    return { ...node, arguments: [...(node.arguments ?? []), added] };
  });
export const ofType = (text: string) => (node: Draft) => ({ ...node, type: parseType(text) });
export const withDefault = (text: string) => (node: InputValueDefinitionNode) => ({
  ...node,
  defaultValue: parseConstValue(text),
});
export const gone = () => null;
export const withDirectives =
  (...texts: readonly string[]) =>
  (node: Draft) => ({ ...node, directives: texts.map((text) => one(`type T ${text} { f: Int }`, 'directive')) });
export const addTypes = (text: string) => (node: DocumentNode) => ({
  ...node,
  definitions: [...node.definitions, ...parse(text).definitions],
});
export const enumValues = (name: string, edit: (values: readonly string[]) => readonly string[]) =>
  type<Draft>(name, (node) => ({
    ...node,
    values: edit(node.values.map((value: Draft) => value.name.value)).map((value) => ({
      kind: Kind.ENUM_VALUE_DEFINITION,
      name: { kind: Kind.NAME, value },
    })),
  }));
/** Edits an argument of `schema @limits`. */
export const limit = (name: string, value: number) => (node: DocumentNode) =>
  parse(print(node).replace(new RegExp(`(schema @limits\\([^)]*${name}: )\\d+`), `$1${value}`));

import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  print,
  visit,
} from 'graphql';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { GraphqlModel } from '../../model/model.ts';
import { upperFirst } from '../../model/naming.ts';
import { documentedFields, type RootField, type RootKind } from '../root-fields.ts';
import { inertText } from './inert-text.ts';

export interface ClientVariable {
  /** `first`, as the argument. */
  readonly name: string;
  /** `[ProductSort!]`. */
  readonly type: string;
}

/** The document of one root field. */
export interface ClientDocument {
  /** `GetProducts`, `CreateProduct`, `OnProductCreated`; the name of no type. */
  readonly name: string;
  readonly kind: RootKind;
  /** Name of the root field. */
  readonly field: string;
  readonly variables: readonly ClientVariable[];
  /** The field's own selection, `{ nodes { ...Product } pageInfo { ...PageInfo } }`; empty for a leaf. */
  readonly selection: string;
}

/** The properties of a type, which all documents share. */
export interface ClientFragment {
  /** Name of the type. */
  readonly type: string;
  /** The type's, as languages spell theirs: `Product`; not `_3dPart`, but `Type3dPart`. */
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly selection: string }[];
}

/** What generators of other languages make GraphQL clients from. */
export interface ClientGraphql {
  /** The SDL without what concerns the server: directives, and defaults of inputs. */
  readonly sdl: string;
  readonly schema: GraphQLSchema;
  readonly fragments: readonly ClientFragment[];
  readonly documents: readonly ClientDocument[];
}

/** Words before the name of a field, in the name of its document. */
const PREFIXES: Readonly<Record<RootKind, string>> = { query: 'Get', mutation: '', subscription: 'On' };

/**
 * A document for each root field, that selects every property and no other resource, as those of the TypeScript client; with a
 * fragment for each type, so that generators give one type to what several documents answer.
 */
export function clientGraphql({ sdl, descriptor }: Pick<GraphqlModel, 'sdl' | 'descriptor'>): ClientGraphql {
  const ast = withoutServerParts(parse(sdl));
  const schema = buildASTSchema(ast, { assumeValid: true });
  const fragments = new Fragments(propertiesOf(descriptor));
  const documents = documentedFields(schema, descriptor).map((root) => documentOf(schema, root, fragments));
  return { sdl: `${print(ast)}\n`, schema, fragments: fragments.all(), documents };
}

/** Names of types begin with a capital letter in most languages; generators make a name of `_3d` that is not valid. */
function nameOf(type: string): string {
  const letters = upperFirst(type.replace(/^_+/, ''));
  return /^[A-Z]/.test(letters) ? letters : `Type${letters}`;
}

/** Generators know other directives than these by chance alone, and would send the defaults of a patch or mistype them. */
function withoutServerParts(document: DocumentNode): DocumentNode {
  const ast: DocumentNode = visit(document, {
    Directive: ({ name }) => (name.value === 'deprecated' ? undefined : null),
    DirectiveDefinition: () => null,
    StringValue: (text) => ({ ...text, value: inertText(text.value) }),
    InputValueDefinition: ({ defaultValue, type, ...rest }) =>
      defaultValue && { ...rest, type: type.kind === Kind.NON_NULL_TYPE ? type.type : type },
  });
  const used = new Set<string>();
  visit(ast, { NamedType: ({ name }) => void used.add(name.value) });
  // What the directives alone had a use for.
  return {
    ...ast,
    definitions: ast.definitions.filter((one) => one.kind !== Kind.ENUM_TYPE_DEFINITION || used.has(one.name.value)),
  };
}

/** Whether a field of a type is a property, and not what the server answers by other means. */
export const propertiesOf =
  ({ fields }: GraphqlModel['descriptor']) =>
  (type: string, field: string): boolean =>
    (fields[`${type}.${field}`]?.kind ?? 'property') === 'property';

/** The root types that a schema has. */
function documentOf(schema: GraphQLSchema, { kind, field }: RootField, fragments: Fragments): ClientDocument {
  const wanted = PREFIXES[kind] + upperFirst(field.name);
  return {
    name: schema.getType(wanted) ? wanted + upperFirst(kind) : wanted,
    kind,
    field: field.name,
    variables: field.args.map(({ name, type }) => ({ name, type: String(type) })),
    selection: fragments.selectionOf(field.type),
  };
}

/** The fragments that selections have asked for. */
class Fragments {
  readonly #isProperty: (type: string, field: string) => boolean;
  readonly #made = new Map<string, ClientFragment>();

  constructor(isProperty: (type: string, field: string) => boolean) {
    this.#isProperty = isProperty;
  }

  all(): readonly ClientFragment[] {
    return [...this.#made.values()];
  }

  /** `{ … }`, or nothing for a leaf. */
  selectionOf(given: GraphQLOutputType): string {
    const type = getNamedType(given);
    if (isUnionType(type)) {
      const members = type.getTypes().map((one) => `... on ${one.name} ${this.selectionOf(one)}`);
      return `{ __typename ${members.join(' ')} }`;
    }
    if (!isObjectType(type)) return isLeafType(type) ? '' : '{ __typename }';
    const { nodes, pageInfo } = type.getFields();
    if (nodes && pageInfo)
      return `{ nodes ${this.selectionOf(nodes.type)} pageInfo ${this.selectionOf(pageInfo.type)} }`;
    this.#add(type);
    return lookUp(this.#made, type.name).fields.length === 0 ? '{ __typename }' : `{ ...${nameOf(type.name)} }`;
  }

  #add(type: GraphQLObjectType): void {
    if (this.#made.has(type.name)) return;
    const fields = Object.values(type.getFields()).filter(
      ({ name, args, type: answer }) =>
        this.#isProperty(type.name, name) && args.length === 0 && !this.#reaches(answer, type),
    );
    // Its place is before those of what it holds.
    const fragment = { type: type.name, name: nameOf(type.name) };
    this.#made.set(type.name, { ...fragment, fields: fields.map(({ name }) => ({ name, selection: '' })) });
    const selected = fields.map((field) => ({ name: field.name, selection: this.selectionOf(field.type) }));
    this.#made.set(type.name, { ...fragment, fields: selected });
  }

  /** Whether a value holds another of the type: fragments cannot hold themselves. */
  #reaches(given: GraphQLOutputType, target: GraphQLObjectType, seen = new Set<string>()): boolean {
    const type = getNamedType(given);
    if (type === target) return true;
    if (isUnionType(type)) return type.getTypes().some((one) => this.#reaches(one, target, seen));
    if (!isObjectType(type) || seen.has(type.name)) return false;
    seen.add(type.name);
    return Object.values(type.getFields()).some(
      ({ name, args, type: answer }) =>
        this.#isProperty(type.name, name) && args.length === 0 && this.#reaches(answer, target, seen),
    );
  }
}

import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { isDeliberate } from '../../compiler/graphql/convention/index.ts';
import { enumValues, schemaReference } from '../../compiler/json-schema/index.ts';
import { type Reference, relationsOf } from '../../compiler/model/access/index.ts';
import type { PropertyDraft, ResourceDraft } from '../../compiler/model/index.ts';
import { filterParameters, parameterSchema } from '../../compiler/model/resources/index.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { Json } from './openapi-resource.ts';
import { MAX_VALUES, operandSchema, valueSchema } from './parameter-objects.ts';

/** The most conditions that a derived `and` or `or` takes. */
const MAX_CONDITIONS = 10;

type Properties = Record<string, Json>;

/** The schemas of conditions, as the inputs of an SDL have them. */
export class ConditionSchemas {
  /** Properties by the name of the schema. */
  readonly schemas = new Map<string, Properties>();
  readonly #schema: GraphQLSchema;
  readonly #document: OpenApiDocument;
  readonly #references: readonly Reference[];
  readonly #nameOf: (input: string) => string;

  /** `references`: all of the contract; `nameOf`: the name of an input's schema. */
  constructor(
    { schema, document }: { readonly schema: GraphQLSchema; readonly document: OpenApiDocument },
    references: readonly Reference[],
    nameOf: (input: string) => string,
  ) {
    this.#schema = schema;
    this.#document = document;
    this.#references = references;
    this.#nameOf = nameOf;
  }

  /** Adds the conditions on the rows of a resource. What is neither a property nor a relation is left out. */
  add(resource: ResourceDraft, input: GraphQLInputObjectType): void {
    if (this.schemas.has(input.name)) return;
    const properties: Properties = {};
    this.schemas.set(input.name, properties);
    for (const field of Object.values(input.getFields())) {
      const schema = isDeliberate(this.#schema, field) ? undefined : this.#member(resource, input, field);
      if (schema) properties[field.name] = schema;
    }
  }

  #member(resource: ResourceDraft, input: GraphQLInputObjectType, { name, type }: GraphQLInputField): Json | undefined {
    const property = resource.schema.properties.get(name);
    if (property) return this.#compared(resource, property, type);
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return undefined;
    if (name === 'not') return schemaReference(input.name);
    if (name === 'and' || name === 'or')
      return { type: 'array', maxItems: MAX_CONDITIONS, items: schemaReference(input.name) };
    const { references, inverses } = relationsOf(resource, this.#references);
    const target = references.get(name)?.target;
    if (target) this.add(target, named);
    else if (!this.#list(inverses.get(name)?.from, named)) return undefined;
    return schemaReference(named.name);
  }

  /** `{ some, none }`, with conditions on the rows that refer to one; false where the document names no such rows. */
  #list(from: ResourceDraft | undefined, input: GraphQLInputObjectType): boolean {
    if (!from) return false;
    const properties: Properties = {};
    this.schemas.set(input.name, properties);
    for (const { name, type } of Object.values(input.getFields())) {
      const named = getNamedType(type);
      if (!isInputObjectType(named)) continue;
      this.add(from, named);
      properties[name] = schemaReference(named.name);
    }
    return true;
  }

  #compared(resource: ResourceDraft, property: PropertyDraft, type: GraphQLInputType): Json {
    const inner = isNonNullType(type) ? type.ofType : type;
    const declared = (word: string): Json | undefined => this.#declared(resource, property, word);
    if (isListType(inner)) return declared('in') ?? oneOf(property);
    if (!isInputObjectType(inner)) return declared('eq') ?? valueSchema(property);
    const name = this.#nameOf(inner.name);
    const known = this.schemas.get(name) ?? {};
    const own = Object.keys(inner.getFields()).map((word) => {
      const schema = declared(word) ?? operatorSchema(property, word);
      return [word, known[word] ? joined(known[word], schema) : schema] as const;
    });
    this.schemas.set(name, Object.fromEntries(own));
    return schemaReference(name);
  }

  /** The values that a list takes by a parameter already, which GraphQL has no other filter for. */
  #declared({ schema, operations: { list } }: ResourceDraft, { name }: PropertyDraft, word: string): Json | undefined {
    const parameter = list && filterParameters(list, schema).find((one) => one.name === name);
    if (!parameter) return undefined;
    const flat = parameterSchema(this.#document, parameter);
    const own = flat.keywords.has('items') ? 'in' : 'eq';
    const operand = flat.properties.size > 0 ? flat.properties.get(word)?.schemas.at(-1) : parameter.schema;
    const isMeant = flat.properties.size > 0 || word === own;
    return isMeant && typeof operand === 'object' ? (operand as Json) : undefined;
  }
}

function operatorSchema(property: PropertyDraft, word: string): Json {
  if (word === 'isNull') return { type: 'boolean' };
  return word === 'in' ? oneOf(property) : operandSchema(property, word);
}

const oneOf = (property: PropertyDraft): Json => ({
  type: 'array',
  maxItems: enumValues(property.flat)?.length ?? MAX_VALUES,
  items: valueSchema(property),
});

const LEAST = ['minimum', 'minLength'];
const MOST = ['maximum', 'maxLength', 'maxItems'];

/** What operators that several properties share take: the values of each. */
function joined(one: Json, other: Json): Json {
  if (one['$ref'] !== undefined || other['$ref'] !== undefined) return one;
  const bound = (keyword: string, choose: (...values: readonly number[]) => number) =>
    choose(Number(one[keyword]), Number(other[keyword]));
  return Object.fromEntries(
    Object.keys(one).flatMap((keyword): readonly [string, unknown][] => {
      if (other[keyword] === undefined) return [];
      if (LEAST.includes(keyword)) return [[keyword, bound(keyword, Math.min)]];
      if (MOST.includes(keyword)) return [[keyword, bound(keyword, Math.max)]];
      if (keyword === 'items') return [[keyword, joined(one['items'] as Json, other['items'] as Json)]];
      return JSON.stringify(one[keyword]) === JSON.stringify(other[keyword]) ? [[keyword, one[keyword]]] : [];
    }),
  );
}

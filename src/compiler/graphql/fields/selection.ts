import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import { lengthOf, weightOf } from '../convention/directives.ts';
import type { Spelling } from './spelling.ts';

type Json = Readonly<Record<string, unknown>>;

/** Limits the nesting, because types may be recursive. */
const MAX_DEPTH = 5;
/** Levels of fields around a selection: a resource, a connection of it, its nodes, and their fields. */
const LEVELS_AROUND = 4;
/** The part of the cost limit that is left for the fields around a selection. */
const COST_AROUND = 10;

/** Makes selection sets for types, and projects REST's values to what they select. */
export class Selection {
  readonly #schema: GraphQLSchema;
  readonly #descriptor: GraphqlDescriptor;
  readonly #spelling: Spelling;
  readonly #depths = new Map<string, number>();

  constructor(schema: GraphQLSchema, descriptor: GraphqlDescriptor, spelling: Spelling) {
    this.#schema = schema;
    this.#descriptor = descriptor;
    this.#spelling = spelling;
  }

  /** A selection of every property, in every variant, as deep as the limits of the contract allow; empty for a scalar. */
  of(type: GraphQLOutputType): string {
    return this.#text(type, this.#depthOf(type));
  }

  /** What GraphQL must answer when REST answers the value; an absent property is null. */
  project(type: GraphQLOutputType, value: unknown): unknown {
    return this.#projected(type, value, this.#depthOf(type));
  }

  /** The levels of objects below a type that are selected. */
  #depthOf(type: GraphQLOutputType): number {
    const { name } = getNamedType(type);
    const known = this.#depths.get(name);
    if (known !== undefined) return known;
    const { cost, depth } = this.#descriptor.limits;
    let levels = Math.max(0, Math.min(MAX_DEPTH, depth - LEVELS_AROUND));
    while (levels > 0 && this.#weight(type, levels) > cost - COST_AROUND) levels -= 1;
    this.#depths.set(name, levels);
    return levels;
  }

  /** What a selection costs, as the server adds it up. */
  #weight(type: GraphQLOutputType, levels: number): number {
    const named = getNamedType(type);
    if (isUnionType(named)) return named.getTypes().reduce((sum, one) => sum + this.#weight(one, levels), 0);
    if (!isObjectType(named)) return 0;
    return this.#propertiesOf(named, levels).reduce((sum, field) => {
      const own = weightOf(this.#schema, field) + this.#weight(field.type, levels - 1);
      return sum + lengthOf(this.#schema, field) * own;
    }, 0);
  }

  #text(type: GraphQLOutputType, levels: number): string {
    const named = getNamedType(type);
    if (isUnionType(named)) {
      const variants = named.getTypes().map((variant) => `... on ${variant.name} ${this.#text(variant, levels)}`);
      return `{ __typename ${variants.join(' ')} }`;
    }
    if (!isObjectType(named)) return '';
    const fields = this.#propertiesOf(named, levels).map(
      (field) => `${field.name} ${this.#text(field.type, levels - 1)}`,
    );
    // An object whose parts lie too deep is asked for all the same.
    return fields.length === 0 ? '{ __typename }' : `{ ${fields.join(' ').replaceAll(/ +/g, ' ')} }`;
  }

  #projected(type: GraphQLOutputType, value: unknown, levels: number): unknown {
    if (value === null || value === undefined) return null;
    const nullable = getNullableType(type);
    if (isListType(nullable)) return (value as unknown[]).map((one) => this.#projected(nullable.ofType, one, levels));
    if (isUnionType(nullable)) return this.#variant(nullable, value as Json, levels);
    if (isObjectType(nullable)) return this.#object(nullable, value as Json, levels);
    // An id is a text in GraphQL, whatever it is in JSON (GraphQL, 3.5.5).
    return getNamedType(nullable).name === 'ID' ? String(value) : this.#spelling.value(nullable, value);
  }

  /** The type of a connection's nodes. */
  nodesOf(type: GraphQLOutputType): GraphQLOutputType {
    const connection = getNamedType(type) as GraphQLObjectType;
    const nodes = getNullableType(connection.getFields()['nodes']!.type);
    return getNullableType(isListType(nodes) ? nodes.ofType : nodes);
  }

  #variant(union: GraphQLUnionType, value: Json, levels: number): unknown {
    const { property, types } = this.#descriptor.unions[union.name]!;
    const name = types[String(value[property])];
    const variant = union.getTypes().find((type) => type.name === name);
    return variant ? { __typename: name, ...this.#object(variant, value, levels) } : value;
  }

  #object(type: GraphQLObjectType, value: Json, levels: number): object {
    const fields = this.#propertiesOf(type, levels);
    if (fields.length === 0) return { __typename: type.name };
    return Object.fromEntries(
      fields.map((field) => {
        const given = value[this.#spelling.property(type.name, field.name)];
        return [field.name, this.#projected(field.type, given, levels - 1)];
      }),
    );
  }

  /** The fields that are properties of REST's value; the others belong to actions or custom code. */
  #propertiesOf(type: GraphQLObjectType, levels: number) {
    return Object.values(type.getFields()).filter(
      (field) =>
        this.#spelling.isProperty(type.name, field.name) && (levels > 0 || !isCompositeType(getNamedType(field.type))),
    );
  }
}

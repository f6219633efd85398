import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLUnionType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';

type Json = Readonly<Record<string, unknown>>;

/** Limits the nesting, because types may be recursive. */
const MAX_DEPTH = 5;

/** Makes selection sets for types, and projects REST's values to what they select. */
export class Selection {
  readonly #descriptor: GraphqlDescriptor;

  constructor(descriptor: GraphqlDescriptor) {
    this.#descriptor = descriptor;
  }

  /** A selection of every property, in every variant; empty for a scalar. */
  of(type: GraphQLOutputType, depth = 0): string {
    const named = getNamedType(type);
    if (isUnionType(named)) {
      const variants = named.getTypes().map((variant) => `... on ${variant.name} ${this.of(variant, depth)}`);
      return `{ __typename ${variants.join(' ')} }`;
    }
    if (!isObjectType(named)) return '';
    const fields = this.#propertiesOf(named, depth).map((field) => `${field.name} ${this.of(field.type, depth + 1)}`);
    return `{ ${fields.join(' ').replaceAll(/ +/g, ' ')} }`;
  }

  /** What GraphQL must answer when REST answers the value; an absent property is null. */
  project(type: GraphQLOutputType, value: unknown, depth = 0): unknown {
    if (value === null || value === undefined) return null;
    const nullable = getNullableType(type);
    if (isListType(nullable)) return (value as unknown[]).map((one) => this.project(nullable.ofType, one, depth));
    if (isUnionType(nullable)) return this.#variant(nullable, value as Json, depth);
    return isObjectType(nullable) ? this.#object(nullable, value as Json, depth) : value;
  }

  /** The type of a connection's nodes. */
  nodesOf(type: GraphQLOutputType): GraphQLOutputType {
    const connection = getNamedType(type) as GraphQLObjectType;
    const nodes = getNullableType(connection.getFields()['nodes']!.type);
    return getNullableType(isListType(nodes) ? nodes.ofType : nodes);
  }

  #variant(union: GraphQLUnionType, value: Json, depth: number): unknown {
    const { property, types } = this.#descriptor.unions[union.name]!;
    const name = types[String(value[property])];
    const variant = union.getTypes().find((type) => type.name === name);
    return variant ? { __typename: name, ...this.#object(variant, value, depth) } : value;
  }

  #object(type: GraphQLObjectType, value: Json, depth: number): object {
    const fields = this.#propertiesOf(type, depth);
    return Object.fromEntries(
      fields.map((field) => [field.name, this.project(field.type, value[field.name], depth + 1)]),
    );
  }

  /** The fields that are properties of REST's value; the others belong to actions or custom code. */
  #propertiesOf(type: GraphQLObjectType, depth: number) {
    return Object.values(type.getFields()).filter(
      (field) =>
        this.#descriptor.fields[`${type.name}.${field.name}`] === undefined &&
        (depth < MAX_DEPTH || !isObjectType(getNamedType(field.type))),
    );
  }
}

import {
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import { ownMember } from '../../../descriptor/look-up.ts';

/** How GraphQL spells what REST has: the names of properties, of filters and of the values of enums. */
export class Spelling {
  readonly #schema: GraphQLSchema;
  readonly #descriptor: GraphqlDescriptor;

  constructor(schema: GraphQLSchema, descriptor: GraphqlDescriptor) {
    this.#schema = schema;
    this.#descriptor = descriptor;
  }

  /** The property that a field of an object type stands for. */
  property(type: string, field: string): string {
    const known = this.#descriptor.fields[`${type}.${field}`];
    return known?.kind === 'property' ? known.property : field;
  }

  /** Whether a field of an object type is a property of REST's value. */
  isProperty(type: string, field: string): boolean {
    const known = this.#descriptor.fields[`${type}.${field}`];
    return known === undefined || known.kind === 'property';
  }

  /** The field of an input type that stands for a property. */
  inputField(type: string | undefined, property: string): string {
    const fields = type === undefined ? {} : (this.#descriptor.inputs[type]?.fields ?? {});
    return Object.keys(fields).find((name) => fields[name]!.property === property) ?? property;
  }

  /** The field of a resource's filter that stands for a parameter. */
  filter(resource: string, parameter: string): string {
    const fields = this.#descriptor.filters?.[resource] ?? {};
    return Object.keys(fields).find((field) => fields[field] === parameter) ?? parameter;
  }

  /** A value of REST, or several, of a type that may be an enum; any other value stays. */
  value(type: GraphQLType | undefined, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.value(type, one));
    const named = type && getNamedType(type);
    const values = isEnumType(named) ? (ownMember(this.#descriptor.enums ?? {}, named.name) ?? {}) : {};
    return Object.keys(values).find((name) => values[name] === value) ?? value;
  }

  /** The type of a field of an object or of an input. */
  typeOf(type: string | undefined, field: string): GraphQLType | undefined {
    const holder = type === undefined ? undefined : this.#schema.getType(type);
    return isObjectType(holder) || isInputObjectType(holder) ? holder.getFields()[field]?.type : undefined;
  }
}

import type { GraphQLInputField, GraphQLInputObjectType, GraphQLObjectType } from 'graphql';
import type { FlatProperty, FlatSchema } from '../../json-schema/flat-schema.ts';
import { schemaOfInput } from '../fields/describe-inputs.ts';
import type { Field, Parity } from './parity.ts';
import { propertyFix } from './property-fix.ts';
import { isLeftover } from './schema-area.ts';
import { addMember, removeNode, replaceNode } from './sdl-edits.ts';
import { isWritable } from './type-text.ts';

/** A type, and the schema that it is compared with. */
export interface Members {
  readonly area: string;
  readonly kind: 'field' | 'input';
  readonly type: GraphQLObjectType | GraphQLInputObjectType;
  readonly flat: FlatSchema;
}

/** A property and the field of its name: `text` is the type that the property has in GraphQL. */
export function propertyFact(
  parity: Parity,
  { area, kind, type }: Members,
  site: FlatProperty,
  text: string,
  field: Field | GraphQLInputField | undefined,
): void {
  const coordinate = `${type.name}.${site.name}`;
  parity.add(
    area,
    kind,
    coordinate,
    parity.rest(text, site.holder, site.name),
    parity.graphql(field && String(field.type), field ?? type, coordinate),
    () =>
      field
        ? replaceNode(field.astNode?.type, text)
        : isWritable(text)
          ? addMember(type.astNode, `${site.name}: ${text}`)
          : undefined,
  );
}

/** A field without a property. */
export function extraFieldFact(
  parity: Parity,
  { area, kind, type, flat }: Members,
  field: Field | GraphQLInputField,
): void {
  const coordinate = `${type.name}.${field.name}`;
  parity.add(
    area,
    kind,
    coordinate,
    parity.rest(undefined, flat.nodes.at(-1)!),
    parity.graphql(String(field.type), field, coordinate),
    () => {
      const input = schemaOfInput(type.name, parity.document);
      const isLeft = kind === 'input' && input !== undefined && isLeftover(parity, input, field.name);
      if (!isLeft) return propertyFix(parity, flat, field.name, field.type);
      return Object.keys(type.getFields()).length > 1 ? removeNode(field.astNode) : undefined;
    },
  );
}

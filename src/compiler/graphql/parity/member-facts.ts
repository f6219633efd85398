import {
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  isEnumType,
} from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import type { FlatProperty, FlatSchema } from '../../json-schema/flat-schema.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import { flatSchema } from '../../model/schemas.ts';
import { isLeftover } from '../convention/schema-owner.ts';
import { isWritable } from '../convention/type-text.ts';
import { schemaOfInput } from '../fields/describe-inputs.ts';
import type { Field, Parity } from './parity.ts';
import { addEntry, propertyFix } from './rest-edits.ts';
import { addMember, removeNode, replaceNode } from './sdl-edits.ts';

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

/** The values of an enum, once for each pair of enums. */
export function enumFacts(parity: Parity, area: string, { schemas }: FlatProperty, type: unknown): void {
  let flat = flatSchema(parity.document, ...schemas);
  while (flat.keywords.has('items')) flat = flatSchema(parity.document, flat.keywords.get('items')!.value as Schema);
  const values = enumValues(flat);
  if (!values || !isEnumType(type)) return;
  const pair = `${type.name} ${values.join()}`;
  if (parity.comparedEnums.has(pair)) return;
  parity.comparedEnums.add(pair);
  const { node } = flat.keywords.get('enum')!;
  for (const value of new Set([...values, ...type.getValues().map(({ name }) => name)]))
    enumValueFact(parity, area, type, value, values.includes(value), node);
}

function enumValueFact(
  parity: Parity,
  area: string,
  type: GraphQLEnumType,
  value: string,
  isInRest: boolean,
  node: object,
): void {
  const found = type.getValue(value) ?? undefined;
  const coordinate = `${type.name}.${value}`;
  parity.add(
    area,
    'enum',
    coordinate,
    parity.rest(isInRest ? value : undefined, node, 'enum'),
    parity.graphql(found?.name, found ?? type, coordinate),
    () => (found ? addEntry(parity, valuesOf(node), value) : addMember(type.astNode, value)),
  );
}

const valuesOf = (node: object): readonly unknown[] => (node as { readonly enum?: readonly unknown[] }).enum ?? [];

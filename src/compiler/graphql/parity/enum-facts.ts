import { type GraphQLEnumType, isEnumType } from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import type { FlatProperty } from '../../json-schema/flat-schema.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import { flatSchema } from '../../model/schemas.ts';
import type { Parity } from './parity.ts';
import { addEntry } from './rest-edits.ts';
import { addMember } from './sdl-edits.ts';

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

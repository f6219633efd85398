import { type GraphQLInputField, getNamedType, isInputObjectType, valueFromASTUntyped } from 'graphql';
import { discriminated } from '../fields/discriminated.ts';
import { variantName } from '../fields/names.ts';
import { type FlatProperty, type FlatSchema, flattenSchema } from '../json-schema/flat-schema.ts';
import { enumFacts } from './enum-facts.ts';
import type { Parity } from './parity.ts';
import { areaOf, hasFlag } from './schema-area.ts';
import { typeText } from './type-text.ts';

/** An input type and its schema, field by field, with default values. */
export function inputFacts(parity: Parity, name: string, schemaName: string): void {
  const type = parity.schema.getType(name);
  if (!isInputObjectType(type)) return;
  const area = areaOf(parity, schemaName);
  if (type.isOneOf) {
    oneOfFacts(parity, area, name, schemaName);
    return;
  }
  const flat = flattenSchema(parity.document, parity.document.components!.schemas![schemaName]!);
  const isPatch = parity.resources.some(({ schemas }) => schemas.patch === schemaName);
  const discriminators = discriminatorsOf(parity, schemaName);
  const fields = type.getFields();
  for (const site of flat.properties.values()) {
    if (hasFlag(parity, site, 'readOnly') || discriminators.has(site.name)) continue;
    const field = fields[site.name];
    const coordinate = `${name}.${site.name}`;
    const value = flattenSchema(parity.document, ...site.schemas);
    const isRequired = !isPatch && flat.required.has(site.name) && !value.nullable;
    const rest = `${typeText(parity.document, site.schemas, 'input', field?.type)}${isRequired ? '!' : ''}`;
    parity.add(
      area,
      'input',
      coordinate,
      parity.rest(rest, site.holder, site.name),
      parity.graphql(field && String(field.type), field ?? type, coordinate),
    );
    if (field && !isPatch) defaultFact(parity, area, coordinate, value, site, field);
    if (field) enumFacts(parity, area, site, getNamedType(field.type));
  }
  for (const field of Object.values(fields)) {
    if (flat.properties.has(field.name)) continue;
    const coordinate = `${name}.${field.name}`;
    parity.add(
      area,
      'input',
      coordinate,
      parity.rest(undefined, flat.nodes.at(-1)!),
      parity.graphql(String(field.type), field, coordinate),
    );
  }
}

function defaultFact(
  parity: Parity,
  area: string,
  coordinate: string,
  value: FlatSchema,
  site: FlatProperty,
  field: GraphQLInputField,
): void {
  const rest = value.keywords.get('default')?.value;
  const written = field.astNode?.defaultValue;
  const graphql = written && JSON.stringify(valueFromASTUntyped(written));
  const text = rest === undefined ? undefined : JSON.stringify(rest);
  parity.add(
    area,
    'default',
    coordinate,
    parity.rest(text, site.holder, site.name),
    parity.graphql(graphql, field, coordinate),
  );
}

/** A `@oneOf` input has a field for each value of the discriminator. */
function oneOfFacts(parity: Parity, area: string, name: string, schemaName: string): void {
  const type = parity.schema.getType(name);
  const variants = discriminated(parity.document, schemaName);
  if (!isInputObjectType(type) || !variants) return;
  const node = parity.document.components!.schemas![schemaName] as object;
  const wanted = new Map(
    Object.entries(variants.schemas).map(([value, variant]) => [variantName(value), `${variant}Input`]),
  );
  for (const field of new Set([...wanted.keys(), ...Object.keys(type.getFields())])) {
    const found = type.getFields()[field];
    const coordinate = `${name}.${field}`;
    parity.add(
      area,
      'union',
      coordinate,
      parity.rest(wanted.get(field), node, 'oneOf'),
      parity.graphql(found && String(found.type), found ?? type, coordinate),
    );
  }
}

/** The discriminators of unions that a schema is a variant of; input types do not have them. */
function discriminatorsOf({ document }: Parity, variant: string): ReadonlySet<string> {
  const unions = Object.keys(document.components?.schemas ?? {}).map((name) => discriminated(document, name));
  const own = unions.filter((union) => union && Object.values(union.schemas).includes(variant));
  return new Set(own.map((union) => union!.property));
}

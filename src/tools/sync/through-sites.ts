import { type GraphQLField, getNamedType, isObjectType } from 'graphql';
import type { ContractSide } from '../../compiler/graphql/convention/contract-side.ts';
import { directiveOf, isDeliberate } from '../../compiler/graphql/convention/directives.ts';
import { type Reference, referencesOf } from '../../compiler/model/access/relations.ts';
import type { ResourceDraft } from '../../compiler/model/draft.ts';

/** What may join the rows of a list to the one above: a resource that refers to both. */
export interface Join {
  readonly join: ResourceDraft;
  readonly from: string;
  readonly to: string;
}

/** A connection between two resources of which neither refers to the other, and that no operation with `x-through` serves. */
export interface ThroughSite {
  readonly field: GraphQLField<unknown, unknown>;
  readonly below: ResourceDraft;
  readonly listed: ResourceDraft;
  readonly joins: readonly Join[];
}

/** The connections of an SDL that other resources may join. */
export function throughSites({ schema, draft: { resources } }: ContractSide): readonly ThroughSite[] {
  const references = referencesOf(resources);
  return resources.flatMap((below) => {
    const type = schema?.getType(below.name);
    if (!isObjectType(type) || !below.operations.get) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const listed = resources.find(({ name }) => getNamedType(field.type).name === `${name}Connection`);
      if (!listed?.operations.list || !listed.page || listed.parent || isDeliberate(schema!, field)) return [];
      const isServed = listed.throughs.some((one) => one.below === below && one.name === field.name);
      const isInverse = references.some((one) => one.from === listed && one.target === below);
      const by = directiveOf(schema!, field, 'by');
      if (isServed || isInverse || by || below.schema.properties.has(field.name)) return [];
      return [{ field, below, listed, joins: joinsOf(below, listed, references) }];
    });
  });
}

function joinsOf(below: ResourceDraft, listed: ResourceDraft, references: readonly Reference[]): readonly Join[] {
  const others = [...new Set(references.map(({ from }) => from))].filter((one) => one !== below && one !== listed);
  return others.flatMap((join) => {
    const to = (target: ResourceDraft): readonly string[] =>
      references.flatMap((one) => (one.from === join && one.target === target ? [one.property.name] : []));
    return to(below).flatMap((from) => to(listed).flatMap((end) => (from === end ? [] : [{ join, from, to: end }])));
  });
}

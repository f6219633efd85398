import { type GraphQLSchema, isInputObjectType } from 'graphql';
import type { Finding } from '../../findings/finding.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import { type ContractDraft, customOperations, type OperationDraft } from '../../model/draft.ts';
import { sortSchemas } from '../../model/resources/list-parameters.ts';
import { flatNamed, flatSchema, namedSchemas } from '../../model/schemas.ts';
import { discriminated } from '../convention/discriminated.ts';
import { inputTypeName, variantName } from '../convention/names.ts';
import { sentSchemas } from '../convention/reached-schemas.ts';
import { graphqlSpelling, type Spelling } from '../names/graphql-view.ts';
import { isType } from '../names/type-names.ts';
import { type Collision, HINT, NAME_COLLISION } from './collision.ts';
import { nodesOf, servedOperations } from './operation-nodes.ts';
import { reservedNames, takenNames } from './reserved-names.ts';

/** A name, and where it stands. */
interface Named {
  readonly name: string;
  readonly node: object;
  readonly key: string | number;
}

/** Names that must differ in GraphQL: what they name, in plural, and the names themselves. */
interface Place {
  readonly what: string;
  readonly names: readonly Named[];
  readonly spell: (name: string) => string;
}

/**
 * Two names of one place that GraphQL would spell the same, with both places: faults of a contract that has an SDL, or is to
 * have one. What only operations lead to that GraphQL deliberately lacks, or that are left out, is not spelled there.
 */
export const nameCollisions = (
  draft: ContractDraft,
  schema: GraphQLSchema | undefined,
  leftOut: Iterable<OperationDraft> = [],
): readonly Finding[] => collisionsOf(draft, schema, new Set(leftOut)).map(({ finding }) => finding);

/** Why custom operations cannot be fields of GraphQL: the names that would be one, by operation. */
export function collidingOperations(
  draft: ContractDraft,
  schema: GraphQLSchema | undefined,
): ReadonlyMap<OperationDraft, string> {
  const collisions = collisionsOf(draft, schema);
  if (collisions.length === 0) return new Map();
  return new Map(
    customOperations({ ...draft, operations: servedOperations(draft) }).flatMap((operation) => {
      const [nodes, sent] = [nodesOf(draft, [operation]), nodesOf(draft, [operation], true)];
      const own = collisions.find((one) => one.nodes.some((node) => (one.isSent ? sent : nodes).has(node)));
      return own ? [[operation, own.finding.message] as const] : [];
    }),
  );
}

function collisionsOf(
  draft: ContractDraft,
  schema: GraphQLSchema | undefined,
  leftOut: ReadonlySet<OperationDraft> = new Set(),
): readonly Collision[] {
  const operations = servedOperations(draft).filter((one) => !leftOut.has(one));
  const all = [
    ...collisionsOfPlaces(draft),
    ...takenNames(draft, schema).map((finding) => ({ finding, nodes: [] })),
    ...reservedNames(draft, operations),
    ...sentCollisions({ ...draft, operations }, schema),
  ];
  if (operations.length === draft.operations.length) return all;
  const reached = nodesOf(draft, operations);
  return all.filter(({ nodes }) => nodes.length === 0 || nodes.some((node) => reached.has(node)));
}

function collisionsOfPlaces(draft: ContractDraft): readonly Collision[] {
  const reported = new Set<string>();
  return [...placesOf(draft)].flatMap((place) =>
    collisionsIn(draft, place).filter(({ finding: { location, also } }) => {
      const key = JSON.stringify([location, also]);
      return !reported.has(key) && reported.add(key);
    }),
  );
}

/** What has a name: a schema itself, or what names a property, a value or a parameter. */
const nodeOf = ({ what }: Place, { node, key }: Named): unknown =>
  /^schemas/.test(what) ? Reflect.get(node, key) : node;

/** The names of one place that come after one that GraphQL would spell the same. */
function collisionsIn({ source }: ContractDraft, place: Place): readonly Collision[] {
  const { what, names, spell } = place;
  const known = new Map<string, Named>();
  return names.flatMap((one): Collision[] => {
    const spelled = spell(one.name);
    const other = known.get(spelled);
    if (!other) known.set(spelled, one);
    if (!other || other.name === one.name) return [];
    const finding: Finding = {
      rule: NAME_COLLISION.id,
      severity: 'error',
      message: `The ${what} \`${other.name}\` and \`${one.name}\` would both be \`${spelled}\` in GraphQL.`,
      hint: HINT,
      location: source.locate(one.node, one.key),
      also: source.locate(other.node, other.key),
    };
    return [{ finding, nodes: [nodeOf(place, one), nodeOf(place, other)] }];
  });
}

function* placesOf(draft: ContractDraft): Iterable<Place> {
  const spelling = graphqlSpelling(draft);
  const sorts = sortSchemas(draft);
  for (const schema of draft.schemas) yield* placesOfSchema(draft, schema, spelling, sorts.has(schema));
  for (const { parameters } of draft.operations) {
    const named = parameters.filter((one) => one.in === 'query' || one.in === 'path');
    const names = named.map((node) => ({ name: node.name, node, key: 'name' }));
    yield { what: 'parameters', names, spell: spelling.field };
  }
}

/** `isSort`: its values name properties. */
function* placesOfSchema(
  { document }: ContractDraft,
  schema: ContractDraft['schemas'][number],
  spelling: Spelling,
  isSort: boolean,
): Iterable<Place> {
  const flat = flatSchema(document, schema);
  const properties = [...flat.properties.values()].map(({ name, holder }) => ({ name, node: holder, key: name }));
  yield { what: 'properties', names: properties, spell: spelling.field };
  const list = schema['enum'];
  const values = enumValues(flat) ?? [];
  if (!Array.isArray(list) || isSort) return;
  const names = values.map((name) => ({ name, node: list, key: list.indexOf(name) }));
  yield { what: 'values', names, spell: spelling.value };
}

/** Schemas that would be the same input, and values of a discriminator that would be the same field of a `@oneOf` input. */
function sentCollisions(draft: ContractDraft, schema: GraphQLSchema | undefined): readonly Collision[] {
  const schemas = namedSchemas(draft.document);
  const sent = [...sentSchemas(draft)].filter((name) => schemas[name] !== undefined);
  // A schema that is only used in inputs may keep its name.
  const inputOf = (name: string): string =>
    isInputObjectType(schema?.getType(name)) ? name : inputTypeName(draft.document, name);
  const alike = [...Map.groupBy(sent, inputOf).values()].filter(({ length }) => length > 1).flat();
  const inputs = alike
    .filter((name) => isType(draft.document, name))
    .map((name) => ({ name, node: schemas, key: name }));
  return [
    ...collisionsIn(draft, { what: 'schemas of inputs', names: inputs, spell: inputOf }).map((one) => ({
      ...one,
      isSent: true,
    })),
    ...sent.flatMap((name) =>
      collisionsIn(draft, { what: `variants of \`${name}\``, names: variantsOf(draft, name), spell: variantName }),
    ),
  ];
}

/** The values that distinguish the variants of a schema, each where its variant says it. */
function variantsOf({ document }: ContractDraft, name: string): readonly Named[] {
  const { property, schemas } = discriminated(document, name) ?? { property: '', schemas: {} };
  return Object.entries(schemas).flatMap(([value, variant]) => {
    const { properties } = flatNamed(document, variant);
    const holder = properties.get(property)?.holder;
    return holder ? [{ name: value, node: holder, key: property }] : [];
  });
}

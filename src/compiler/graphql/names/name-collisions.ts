import type { Finding } from '../../findings/finding.ts';
import { isSchemaObject } from '../../json-schema/flat-schema.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import type { ContractDraft } from '../../model/draft.ts';
import { sortSchemas } from '../../model/resources/list-parameters.ts';
import { flatSchema, namedSchemas } from '../../model/schemas.ts';
import { graphqlSpelling } from './graphql-view.ts';
import type { Spelling } from './rename-document.ts';

/** A name, and where it stands. */
export interface Named {
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
 * have one.
 */
export function nameCollisions(draft: ContractDraft): readonly Finding[] {
  const reported = new Set<string>();
  return [...placesOf(draft)].flatMap((place) =>
    collisionsIn(draft, place).filter(({ location, also }) => {
      const key = JSON.stringify([location, also]);
      return !reported.has(key) && reported.add(key);
    }),
  );
}

/** The names of one place that come after one that GraphQL would spell the same. */
export function collisionsIn({ source }: ContractDraft, { what, names, spell }: Place): readonly Finding[] {
  const known = new Map<string, Named>();
  return names.flatMap((one): Finding[] => {
    const spelled = spell(one.name);
    const other = known.get(spelled);
    if (!other) known.set(spelled, one);
    if (!other || other.name === one.name) return [];
    return [
      {
        rule: 'graphql-name-collision',
        severity: 'error',
        message: `The ${what} \`${other.name}\` and \`${one.name}\` would both be \`${spelled}\` in GraphQL.`,
        hint: 'Rename one of them: GraphQL has letters, digits and underscores alone.',
        location: source.locate(one.node, one.key),
        also: source.locate(other.node, other.key),
      },
    ];
  });
}

function* placesOf(draft: ContractDraft): Iterable<Place> {
  const { document } = draft;
  const spelling = graphqlSpelling(draft);
  const schemas = namedSchemas(document);
  yield { what: 'schemas', names: keysOf(schemas), spell: spelling.type };
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
  schema: object,
  spelling: Spelling,
  isSort: boolean,
): Iterable<Place> {
  if (!isSchemaObject(schema)) return;
  const flat = flatSchema(document, schema);
  const properties = [...flat.properties.values()].map(({ name, holder }) => ({ name, node: holder, key: name }));
  yield { what: 'properties', names: properties, spell: spelling.field };
  const list = schema['enum'];
  const values = enumValues(flat) ?? [];
  if (!Array.isArray(list) || isSort) return;
  const names = values.map((name) => ({ name, node: list, key: list.indexOf(name) }));
  yield { what: 'values', names, spell: spelling.value };
}

const keysOf = (node: object): readonly Named[] => Object.keys(node).map((name) => ({ name, node, key: name }));

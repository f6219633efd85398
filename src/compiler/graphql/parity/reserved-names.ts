import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { batchesOf, totalsOf } from '../../../descriptor/resource.ts';
import type { Finding } from '../../findings/finding.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import {
  type ContractDraft,
  customOperations,
  type FurtherDraft,
  type OperationDraft,
  type ResourceDraft,
} from '../../model/draft.ts';
import { lowerFirst, upperFirst } from '../../model/naming.ts';
import { flatSchema, namedSchemas } from '../../model/schemas.ts';
import { batchTypeNames, totalTypeNames } from '../convention/names.ts';
import { nameOfAny } from '../convention/type-text.ts';
import { graphqlSpelling } from '../names/graphql-view.ts';
import { type Collision, HINT, NAME_COLLISION } from './collision.ts';
import { nodesOf } from './operation-nodes.ts';

/** The members of the results of a batch, beside the row, which is named by its schema. */
const RESULT_MEMBERS = ['status', 'id'];

/**
 * Schemas that have the names of types of batches, unless batches alone have them, and resources that have the name of another
 * member of the results of their batch.
 */
function namesOfBatches(draft: ContractDraft, operations: readonly OperationDraft[]): readonly string[] {
  const spelling = graphqlSpelling(draft);
  const batches = draft.resources.flatMap((resource) =>
    batchesOf<FurtherDraft>(resource)
      .filter(({ operation }) => operations.includes(operation))
      .map((batch) => ({ ...batch, name: spelling.type(resource.name) })),
  );
  const others = operations.filter((one) => !batches.some(({ operation }) => operation === one));
  const reached = nodesOf(draft, others);
  const types = new Set(batches.flatMap(({ name, kinds }) => [...batchTypeNames({ name }, kinds)]));
  const taken = Object.entries(namedSchemas(draft.document)).filter(([, node]) => reached.has(node));
  return [
    ...taken.map(([name]) => spelling.type(name)).filter((name) => types.has(name)),
    ...batches.map(({ name }) => name).filter((name) => RESULT_MEMBERS.includes(lowerFirst(name))),
  ];
}

/**
 * The schema of pages, if custom operations answer it: GraphQL has a type of its name for the pages of resources. Schemas that have
 * the names of enums of totals, or those of batches.
 */
export function reservedNames(draft: ContractDraft, operations: readonly OperationDraft[]): readonly Collision[] {
  const { document, source, resources } = draft;
  const schemas = namedSchemas(document);
  const spelling = graphqlSpelling(draft);
  const isOfCustom = nodesOf(draft, customOperations({ ...draft, operations })).has(schemas[PAGE_INFO]);
  const totalled = resources.filter((one) => totalsOf<FurtherDraft>(one).length > 0);
  const reserved = new Set([
    ...(isOfCustom ? [PAGE_INFO] : []),
    ...totalled.flatMap(({ name }) => Object.values(totalTypeNames(spelling.type(name)))),
    ...namesOfBatches(draft, operations),
  ]);
  return Object.entries(schemas)
    .filter(([name]) => reserved.has(spelling.type(name)))
    .map(([name, node]) => ({
      finding: {
        rule: NAME_COLLISION.id,
        severity: 'error',
        message: `The schema \`${name}\` has a name that GraphQL has otherwise.`,
        hint: HINT,
        location: source.locate(schemas, name),
      },
      nodes: [node],
    }));
}

const PAGE_INFO = 'PageInfo';

/** What the types of a list are for, by the end of their names. */
const OF_LISTS = {
  filter: 'the input that selects entries',
  sort: 'the enum to sort by',
  connection: 'a page',
  edge: 'an entry',
} as const;

/** Properties whose enum would have the name of a type that the list of their resource has in GraphQL. */
export function takenNames(draft: ContractDraft, schema: GraphQLSchema | undefined): readonly Finding[] {
  const { document, source } = draft;
  const spelling = graphqlSpelling(draft);
  return draft.resources.flatMap((resource) =>
    Object.entries(OF_LISTS).flatMap(([property, what]): readonly Finding[] => {
      const { name, flat } = resource.schema;
      const site = flat.properties.get(property);
      const taken = spelling.type(name + upperFirst(property));
      if (!site || !hasType(resource, property) || !enumValues(flatSchema(document, ...site.schemas))) return [];
      const type = schema?.getType(spelling.type(name));
      const written = isObjectType(type) ? type.getFields()[property]?.type : undefined;
      const named = nameOfAny(document, site.schemas) ?? (written ? getNamedType(written).name : taken);
      if (spelling.type(named) !== taken) return [];
      return [
        {
          rule: NAME_COLLISION.id,
          severity: 'error',
          message: `The name \`${taken}\` is taken: in GraphQL it is ${what} in lists of \`${name}\`, so the values of \`${property}\` need another.`,
          hint: `Call the property otherwise, or its values: refer to a schema such as \`${name}${upperFirst(property)}Kind\`.`,
          location: source.locate(site.holder, property),
        },
      ];
    }),
  );
}

/** Whether a list has the type: one without filters has no input for them. */
function hasType({ operations: { list } }: ResourceDraft, property: string): boolean {
  const asked = list?.parameters.filter((one) => one.in === 'query').map(({ name }) => name) ?? [];
  if (property === 'sort') return asked.includes('sort');
  return property === 'filter' ? asked.some((name) => !OTHERS.has(name)) : list !== undefined;
}

/** Parameters other than filters. */
const OTHERS = new Set(['limit', 'cursor', 'sort', 'count', 'search']);

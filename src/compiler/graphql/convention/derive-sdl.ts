import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { customOperations, type OperationDraft } from '../../model/draft.ts';
import { type ContractSide, draftOf, homeOf, isRestOnly } from './contract-side.ts';
import type { Definition, Member } from './definition.ts';
import { deriveCustom } from './derive-custom.ts';
import { PAGE_INFO } from './derive-list.ts';
import { knownConnections, referencesOf, throughConnections } from './derive-relations.ts';
import { deriveResource } from './derive-resource.ts';
import { authText } from './directives.ts';
import { RangeTypes } from './range-types.ts';
import type { RootNames } from './sdl-facts.ts';
import { TypeDeriver } from './type-deriver.ts';

/** What the SDL of a contract should have. */
export interface DerivedSdl {
  readonly definitions: readonly Definition[];
  /** Sentences on what cannot be derived, and what to do about it. */
  readonly gaps: readonly string[];
}

/** The schema that the conventions and the OpenAPI side of a contract imply. */
export function deriveSdl(side: ContractSide): DerivedSdl {
  const { roots } = side.sdl;
  const types = new TypeDeriver(side);
  const ranges = new RangeTypes(types, side.schema);
  const fields: RootFields = { query: [], mutation: [], subscription: [] };
  const added = new Map<string, { readonly after?: string; readonly member: Member }[]>();
  const gaps: string[] = [];
  for (const resource of side.resources.filter((one) => isServed(side, one))) {
    types.home = homeOf(resource);
    const { query, mutation, subscription, onParent } = deriveResource(side, types, ranges, resource);
    for (const [root, members] of Object.entries({ query, mutation, subscription }))
      fields[root as keyof RootFields].push(...members.map((member) => ({ home: types.home, member })));
    for (const { property, member } of referencesOf(side, resource))
      append(added, resource.name, { after: property, member });
    for (const { type, member } of throughConnections(side, resource)) append(added, type, { member });
    if (onParent) append(added, onParent.parent.name, { member: onParent.member });
  }
  for (const { type, member } of knownConnections(side))
    if (!added.get(type)?.some((known) => known.member.name === member.name)) append(added, type, { member });
  const named = new Set(side.sdl.operationIds.values());
  const isTaken = (root: 'query' | 'mutation', name: string): boolean =>
    fields[root].some(({ member }) => member.name === name) || named.has(`${roots[root]}.${name}`);
  for (const operation of unnamedOperations(side)) {
    const custom = deriveCustom(side, types, operation, isTaken);
    if (typeof custom === 'string') gaps.push(custom);
    else if ('root' in custom.type) fields[custom.type.root].push({ home: custom.home, member: custom.member });
    else append(added, custom.type.resource.name, { member: custom.member });
  }
  const shared = sharedDefinitions(types, fields, roots);
  const own = types.definitions.map((definition) => withFields(definition, added.get(definition.name) ?? []));
  return {
    definitions: [
      ...shared,
      ...own.filter(isScalar),
      ...own.filter((one) => !isScalar(one)),
      ...rootDefinitions(fields, roots),
    ],
    gaps: [...gaps, ...inexpressible(side)],
  };
}

const isScalar = ({ kind }: Definition): boolean => kind === 'scalar';

type RootFields = Readonly<Record<keyof RootNames, { readonly home: string | undefined; readonly member: Member }[]>>;

/** Whether GraphQL should have a resource at all. */
const isServed = (side: ContractSide, resource: ResourceDescriptor): boolean =>
  Object.values(draftOf(side, resource).operations).some(({ node }) => !isRestOnly(node));

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}

/** The custom operations that no field names yet. */
function unnamedOperations({ draft: { resources }, operations, sdl }: ContractSide): readonly OperationDraft[] {
  const custom = customOperations({ resources, operations });
  return custom.filter(({ operationId, node }) => !sdl.operationIds.has(operationId) && !isRestOnly(node));
}

function withFields(
  definition: Definition,
  added: readonly { readonly after?: string; readonly member: Member }[],
): Definition {
  const members = definition.members.flatMap((member) => [
    member,
    ...added.filter(({ after }) => after === member.name).map((one) => one.member),
  ]);
  return { ...definition, members: [...members, ...added.filter(({ after }) => !after).map((one) => one.member)] };
}

/** The schema definition, the root types as far as they have fields, and the type of pages. */
function sharedDefinitions(types: TypeDeriver, fields: RootFields, roots: RootNames): readonly Definition[] {
  const used = (['query', 'mutation', 'subscription'] as const).filter((root) => fields[root].length > 0);
  const hasPages = types.definitions.some(({ name }) => name.endsWith('Connection'));
  const schema: Definition = {
    kind: 'schema',
    name: '',
    directives: ['@limits(depth: 10, cost: 1000)'],
    members: used.map((root) => ({ name: root, type: roots[root] })),
  };
  return [schema, ...(hasPages ? [PAGE_INFO] : [])];
}

function rootDefinitions(fields: RootFields, roots: RootNames): readonly Definition[] {
  return (['query', 'mutation', 'subscription'] as const).flatMap((root) =>
    [...Map.groupBy(fields[root], ({ home }) => home)].map(
      ([home, members]): Definition => ({
        kind: 'type',
        name: roots[root],
        description: ROOT_DESCRIPTIONS[root],
        members: members.map(({ member }) => member),
        home,
      }),
    ),
  );
}

const ROOT_DESCRIPTIONS: RootNames = {
  query: 'Reads.',
  mutation: 'Changes.',
  subscription: 'Events of committed changes, whichever protocol they were made over.',
};

function inexpressible({ document, operations }: ContractSide): readonly string[] {
  return operations
    .filter(({ access, node }) => authText(access, document) === undefined && !isRestOnly(node))
    .map(
      ({ operationId }) => `\`${operationId}\` requires two security schemes at once, which \`@auth\` cannot express.`,
    );
}

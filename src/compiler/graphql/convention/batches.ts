import { parentOf } from '../../../descriptor/levels.ts';
import { type BatchKind, batchesOf, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { type BatchDraft, type FurtherDraft, lowerFirst } from '../../model/index.ts';
import { keysOfRows } from '../../model/resources/index.ts';
import { type Contract, type ContractSide, draftOf, isRestOnly } from './contract-side.ts';
import type { Definition, Member } from './definition.ts';
import { ancestorArguments, directivesOf } from './fields.ts';
import { batchFieldName, batchTypeName, pluralOf, versionType } from './names.ts';
import type { TypeDeriver } from './type-deriver.ts';
import { typeText } from './type-text.ts';
import { descriptionOf, wordsOf } from './words.ts';

/** The batch of a resource. */
export interface BatchSite {
  readonly resource: ResourceDescriptor;
  readonly batch: BatchDraft;
}

export const batchSites = (contract: Contract): readonly BatchSite[] =>
  contract.resources.flatMap((resource) =>
    batchesOf<FurtherDraft>(draftOf(contract, resource)).map((batch) => ({ resource, batch })),
  );

const MODE = 'BatchMode';

/** The field of a batch. */
export const batchField = (contract: Contract, { resource, batch }: BatchSite): Member => ({
  name: batchFieldName(resource, parentOf(contract.resources, resource)),
  description: descriptionOf(batch.operation.node),
  args: [
    ...ancestorArguments(contract, resource),
    { name: 'mode', type: MODE, given: 'ATOMIC', value: 'ATOMIC' },
    { name: 'items', type: `[${batchTypeName(resource, 'item')}!]!` },
  ],
  type: `${batchTypeName(resource)}!`,
  directives: [batchSizeText(batch), ...directivesOf(contract, batch.operation)],
});

/** The directive that counts an item as work, and bounds what is selected of all. */
export const batchSizeText = ({ maxItems }: Pick<BatchDraft, 'maxItems'>): string =>
  `@listSize(assumedSize: ${maxItems}, slicingArguments: ["items"], sizedFields: ["results"])`;

/** The types of a batch, which REST has as parts of its schemas. */
export function batchTypes(contract: Contract, { resource, batch }: BatchSite): readonly Definition[] {
  const words = wordsOf(lowerFirst(resource.name));
  const named = (part: string): string => batchTypeName(resource, part);
  const keys = keysOfRows(contract.document, draftOf(contract, resource));
  return [
    {
      kind: 'enum',
      name: MODE,
      description: 'How the items of a batch succeed.',
      home: undefined,
      members: [
        { name: 'ATOMIC', description: 'All of them, or none.' },
        { name: 'EACH', description: 'Each by itself.' },
      ],
    },
    {
      kind: 'type',
      name: named(''),
      description: 'The results of a batch.',
      members: [{ name: 'results', description: 'In the order of the items.', type: `[${named('result')}]!` }],
    },
    {
      kind: 'type',
      name: named('result'),
      description: 'The success of an item.',
      members: [
        { name: 'status', description: 'The status of the same request over REST.', type: 'Int!' },
        { name: 'id', description: 'The id of the row.', type: 'ID' },
        {
          name: lowerFirst(resource.name),
          description: 'What was written; null after a deletion.',
          type: resource.name,
        },
      ],
    },
    {
      kind: 'input',
      name: named('item'),
      description: `One write of ${wordsOf(pluralOf(resource))}.`,
      directives: ['@oneOf'],
      members: batch.kinds.map((kind) => ({ name: kind, type: named(kind) })),
    },
    ...batch.kinds.map(
      (kind): Definition => ({
        kind: 'input',
        name: named(kind),
        description: DESCRIPTIONS[kind].replace('row', words),
        members: membersOf(resource, kind, keys.length > 0),
      }),
    ),
    ...(keys.length > 0 && batch.kinds.some((kind) => kind !== 'create')
      ? [
          {
            kind: 'input',
            name: named('key'),
            description: 'The values of a unique key.',
            members: [...new Set(keys.flat())].map((name) => keyMember(contract, resource, name)),
          } as const,
        ]
      : []),
  ];
}

const DESCRIPTIONS: Readonly<Record<BatchKind, string>> = {
  create: 'A new row.',
  update: 'Changes to a row.',
  replace: 'A row as a whole.',
  delete: 'The end of a row.',
  upsert: 'A new row, or changes to the one that has its key.',
};

function membersOf(resource: ResourceDescriptor, kind: BatchKind, hasKeys: boolean): readonly Member[] {
  const { input, patch } = resource.schemas;
  const key = batchTypeName(resource, 'key');
  const row = [{ name: 'id', type: 'ID' }, ...(hasKeys ? [{ name: 'key', type: key }] : [])];
  const version = { name: 'ifVersion', type: versionType(resource) };
  switch (kind) {
    case 'create':
      return [{ name: 'input', type: `${input}!` }];
    case 'update':
      return [...row, { name: 'input', type: `${patch}!` }, version];
    case 'replace':
      return [...row, { name: 'input', type: `${input}!` }, version];
    case 'delete':
      return [...row, version];
    case 'upsert':
      return [
        { name: 'key', type: `${key}!` },
        { name: 'create', type: `${input}!` },
        { name: 'update', type: `${patch}` },
      ];
  }
}

function keyMember(contract: Contract, resource: ResourceDescriptor, name: string): Member {
  const schemas = draftOf(contract, resource).schema.flat.properties.get(name)?.schemas ?? [];
  return { name, type: typeText(contract.document, schemas, 'input', undefined), schemas };
}

/** The field of the batch of a resource, unless GraphQL deliberately lacks it; their types are added to `deriver`. */
export function deriveBatches(
  side: ContractSide,
  deriver: TypeDeriver,
  resource: ResourceDescriptor,
): readonly Member[] {
  return batchSites({ ...side, resources: [resource] }).flatMap((site) => {
    if (isRestOnly(site.batch.operation.node)) return [];
    for (const type of batchTypes(side, site)) deriver.add(type);
    return [{ ...batchField(side, site), name: batchFieldName(resource, parentOf(side.resources, resource)) }];
  });
}

/** The types that batches have, which stand for no schema of their names. */
export const typesOfBatches = (contract: Contract): readonly string[] =>
  batchSites(contract).flatMap((site) => batchTypes(contract, site).map(({ name }) => name));

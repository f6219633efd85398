import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { type BatchDraft, lowerFirst } from '../../model/index.ts';
import { itemShape, partsOf, type Shape } from '../../model/resources/index.ts';
import { type Contract, draftOf } from './contract-side.ts';
import type { Definition, Member } from './definition.ts';
import { ancestorArguments, directivesOf } from './fields.ts';
import { BATCH_MODE, batchTypeName, pluralOf, versionType } from './names.ts';
import { typeText } from './type-text.ts';
import { descriptionOf, wordsOf } from './words.ts';

/** The field of a batch, but for its name. */
export const batchField = (
  contract: Contract,
  resource: ResourceDescriptor,
  batch: BatchDraft,
): Omit<Member, 'name'> => ({
  description: descriptionOf(batch.operation.node),
  args: [
    ...ancestorArguments(contract, resource),
    { name: 'mode', type: BATCH_MODE, given: 'ATOMIC', value: 'ATOMIC' },
    { name: 'items', type: `[${batchTypeName(resource, 'item')}!]!` },
  ],
  type: `${batchTypeName(resource)}!`,
  directives: [batchSizeText(batch), ...directivesOf(contract, batch.operation)],
});

/** The directive that counts an item as work, and bounds what is selected of all. */
export const batchSizeText = ({ maxItems }: Pick<BatchDraft, 'maxItems'>): string =>
  `@listSize(assumedSize: ${maxItems}, slicingArguments: ["items"], sizedFields: ["results"])`;

/** The types of a batch, which REST has as parts of its schemas. */
export function batchTypes(contract: Contract, resource: ResourceDescriptor, batch: BatchDraft): readonly Definition[] {
  const words = wordsOf(lowerFirst(resource.name));
  const named = (part: string): string => batchTypeName(resource, part);
  return [
    {
      kind: 'enum',
      name: BATCH_MODE,
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
    ...partsOf(itemShape(contract.document, draftOf(contract, resource), batch.kinds)).map(
      ({ part, members, required, isOneOf }): Definition => ({
        kind: 'input',
        name: named(part),
        description: DESCRIPTIONS[part]?.replace('rows', wordsOf(pluralOf(resource))).replace('row', words),
        ...(isOneOf && { directives: ['@oneOf'] }),
        members: Object.entries(members).map(([name, shape]) => ({
          ...{ name, ...memberOf(contract, resource, shape, required.includes(name) ? '!' : '') },
        })),
      }),
    ),
  ];
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  item: 'One write of rows.',
  create: 'A new row.',
  update: 'Changes to a row.',
  replace: 'A row as a whole.',
  delete: 'The end of a row.',
  upsert: 'A new row, or changes to the one that has its key.',
  key: 'The values of a unique key.',
};

/** The type of a member of an input. */
function memberOf(contract: Contract, resource: ResourceDescriptor, shape: Shape, mark: string) {
  if (shape.kind === 'schema') return { type: `${shape.name}${mark}` };
  if (shape.kind === 'object') return { type: `${batchTypeName(resource, shape.part)}${mark}` };
  if (shape.kind !== 'property') throw new Error('An item of a batch has a list.');
  const { name } = shape.property;
  if (name === 'id' || name === 'version') return { type: name === 'id' ? 'ID' : versionType(resource) };
  const schemas = draftOf(contract, resource).schema.flat.properties.get(name)?.schemas ?? [];
  return { type: `${typeText(contract.document, schemas, 'input', undefined)}${mark}`, schemas };
}

import { suggestion } from '../../compiler/findings/index.ts';
import { draftOf, wordsOf } from '../../compiler/graphql/convention/index.ts';
import { resolveReference, schemaReference } from '../../compiler/json-schema/index.ts';
import { camelCase, lowerFirst, parameterOf, pathSegments, upperFirst } from '../../compiler/model/index.ts';
import { PAGING_PARAMETERS, schemaOfTotal, typesOfTotals } from '../../compiler/model/resources/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { Parameter } from '../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { MEASURES, PERIODS, totalNamesOf } from '../../descriptor/totals.ts';
import { type Json, pathParameter } from '../sync/openapi-resource.ts';
import { operationObject } from '../sync/operation-object.ts';
import { valueSchema } from '../sync/parameter-objects.ts';
import { type Addition, propertyNamed } from './addition.ts';
import { listNamed } from './new-list-parameter.ts';

/** `total:sum`, `createdAt:month,max`, `status`: what totals make of a property. */
export interface Totalled {
  readonly property: string;
  /** Names of groups and measures, in lower case; none for the values themselves as groups. */
  readonly words: readonly string[];
}

const WORDS = [...PERIODS, ...MEASURES].map(lowerFirst);

/** Parses an argument. Throws `ConfigError`. */
export function readTotalled(text: string): Totalled {
  const [, property, list] = /^([A-Za-z]\w*)(?::([a-z,]+))?$/.exec(text) ?? [];
  if (property === undefined)
    throw new ConfigError([`${text} is not a group or a measure; write status, createdAt:month or total:sum,avg.`]);
  const words = list?.split(',') ?? [];
  const unknown = words.find((word) => !WORDS.includes(word));
  if (unknown !== undefined) throw new ConfigError([`${text}: unknown ${unknown}. ${suggestion(unknown, WORDS)}`]);
  return { property, words };
}

/** The addition of totals beside the list of a resource, with these groups and measures and the number of rows. */
export const totalsAddition =
  (collection: string, asked: readonly Totalled[]): Addition =>
  async (contract) => {
    const { side, writer } = contract;
    const { resource, list } = listNamed(contract, collection);
    const path = `${resource.path}/totals`;
    if (side.operations.some((one) => one.path === path)) throw new ConfigError([`${path} already exists.`]);
    const operationId = `total${upperFirst(camelCase(collection.replaceAll('/', '-')))}`;
    if (side.operations.some((one) => one.operationId === operationId))
      throw new ConfigError([`${operationId} already exists.`]);
    const names = namesOf(resource, asked);
    const schemas = { group: `${resource.name}Total`, page: `${resource.name}TotalPage` };
    for (const name of Object.values(schemas))
      if (writer.has('schemas', name)) throw new ConfigError([`${name} already exists.`]);
    const words = wordsOf(lowerFirst(resource.name));
    const types = [...typesOfTotals(draftOf(side, resource), names)].map(([name, type]): [string, Json] => [
      name,
      type.property && !type.nullable ? valueSchema(type.property) : schemaOfTotal(type),
    ]);
    await writer.addComponent('schemas', schemas.group, {
      description: `Totals of ${words} rows. It has what was asked for.`,
      type: 'object',
      properties: Object.fromEntries(types),
    });
    await writer.addComponent('schemas', schemas.page, {
      description: 'Groups, as far as they were asked for.',
      type: 'object',
      properties: {
        data: { type: 'array', items: schemaReference(schemas.group) },
        hasMore: { description: 'Whether there are more groups.', type: 'boolean' },
      },
      required: ['data', 'hasMore'],
    });
    const filters = (list.node.parameters ?? []).filter((one) => {
      const parameter = resolveReference<Parameter>(side.document, one);
      return parameter?.in === 'query' && !PAGING_PARAMETERS.includes(parameter.name);
    });
    const above = pathSegments(path).flatMap((segment) => parameterOf(segment) ?? []);
    const operation = operationObject({
      operationId,
      tags: list.node.tags,
      summary: upperFirst(wordsOf(operationId)),
      security: list.node.security,
      'x-totals': resource.name,
      parameters: [...ownParameters(names), ...filters],
      answer: { status: 200, description: 'The groups.', schema: schemaReference(schemas.page) },
    });
    const segments = pathSegments(path).filter((segment) => parameterOf(segment) === undefined);
    await writer.addPath(path, segments.join('-'), {
      ...(above.length > 0 && { parameters: above.map((name) => pathParameter(side, name)) }),
      get: operation,
    });
  };

interface Names {
  readonly groups: readonly string[];
  readonly measures: readonly string[];
}

/** The names of groups and measures. Throws `ConfigError` for those that a property does not have. */
function namesOf(resource: ResourceDescriptor, asked: readonly Totalled[]): Names {
  const known = totalNamesOf(resource);
  const groups: string[] = [];
  const measures = ['count'];
  for (const { property, words } of asked) {
    const { name } = propertyNamed(resource, property);
    for (const word of words.length === 0 ? [''] : words) {
      const total = `${name}${upperFirst(word)}`;
      if (known.groups.has(total)) groups.push(total);
      else if (known.measures.has(total)) measures.push(total);
      else throw new ConfigError([`${resource.name}.${name} has no ${word === '' ? 'groups' : word}.`]);
    }
  }
  return { groups, measures };
}

const listOf = (values: readonly string[]): Json => ({
  type: 'array',
  minItems: 1,
  maxItems: values.length,
  uniqueItems: true,
  items: { type: 'string', enum: values },
});

function ownParameters({ groups, measures }: Names): readonly Json[] {
  const own = (name: string, description: string, schema: Json, isList = true): Json => ({
    name,
    in: 'query',
    description,
    ...(isList && { style: 'form', explode: false }),
    schema,
  });
  const sorts = [...groups, ...measures].flatMap((name) => [name, `-${name}`]);
  return [
    ...(groups.length > 0
      ? [own('groupBy', 'What gathers rows into groups; without it there is one.', { ...listOf(groups), maxItems: 4 })]
      : []),
    own('measures', 'What is computed of each group.', { ...listOf(measures), default: ['count'] }),
    own('sort', 'Order of the groups; `-` is descending.', { ...listOf(sorts), maxItems: 3 }),
    own(
      'limit',
      'How many groups the answer has at most.',
      { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      false,
    ),
    ...(groups.length > 0
      ? [
          own(
            'timeZone',
            'The time zone in which days, months and years begin (IANA).',
            { type: 'string', maxLength: 64, default: 'UTC' },
            false,
          ),
        ]
      : []),
  ];
}

import { type ContractSide, wordsOf } from '../../compiler/graphql/convention/index.ts';
import { schemaReference } from '../../compiler/json-schema/index.ts';
import { camelCase, kebabCase, lowerFirst, upperFirst } from '../../compiler/model/index.ts';
import { pluralOf } from '../../compiler/rules/index.ts';
import { withArticle } from '../../descriptor/article.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { CommandFailure } from '../../tools/command-failure.ts';
import { securityOf } from '../scaffold/access.ts';
import type { OpenContract } from '../sync/open-contract.ts';
import {
  COUNT_PARAMETER,
  CURSOR_PARAMETER,
  type Json,
  type ListSketch,
  limitParameter,
  listParameters,
  pageNameOf,
  pageSchema,
  parameterRef,
  pathsOf,
  type ResourceSketch,
} from '../sync/openapi-resource.ts';
import { operationObject } from '../sync/operation-object.ts';
import { filterParameter } from '../sync/parameter-objects.ts';
import { type Draft, type Property, propertySchema, type Target } from './draft.ts';
import { firstFree, type Names, type ResourceName } from './names.ts';

export interface Written {
  readonly drafts: readonly Draft[];
  readonly enums: ReadonlyMap<string, Json>;
  /** By the table as SQL names it, also those that the contract has. */
  readonly targets: ReadonlyMap<string, Target>;
  readonly names: Names;
}

/** A list has them for itself. */
const OF_LISTS = ['limit', 'cursor', 'count', 'sort', 'search', 'filter'];
const MAX_LIMIT = 100;
const RANGE = ['gte', 'lt'];

/** Adds resources to a contract, each with `get` and `list` for callers with the scope `<collection>:read`. */
export async function writeDrafts({ files, side, writer }: OpenContract, written: Written): Promise<void> {
  const access = accessTo(side);
  const { drafts, enums } = written;
  const limit = (await writer.component('parameters', 'Limit')) as { schema?: { maximum?: number } } | undefined;
  const maximum = limit?.schema?.maximum ?? MAX_LIMIT;
  const sketches = drafts.map((draft) => [draft, sketchOf(draft, access)] as const);
  const schemas = sketches.flatMap(([draft, sketch]) => [
    [draft.name.type, resourceSchema(draft)] as const,
    [pageNameOf(sketch), pageSchema(sketch, maximum, writer.has('schemas', 'PageInfo'))] as const,
  ]);
  const labels = [...enums].map(
    ([name, schema]) => [name, { description: `Values of ${wordsOf(lowerFirst(name))}.`, ...schema }] as const,
  );
  const paths = sketches.flatMap(([, sketch]) =>
    pathsOf(sketch).flatMap(({ item, ...path }) => (item ? [{ ...path, item }] : [])),
  );
  const tags = sketches.map(([, { plural }]) => ({
    name: upperFirst(plural),
    description: `Operations on ${wordsOf(plural)}.`,
  }));
  const throughs = throughsOf(written, side).map((through) => throughPath(through, access));
  if (/^tags:/m.test((await files.read(files.entry)) ?? ''))
    await writer.addItems({ file: files.entry, pointer: '/tags' }, tags);
  await writer.addComponents('parameters', PARAMETERS);
  await writer.addComponents('schemas', Object.fromEntries([...schemas, ...labels]));
  await writer.addPaths([...paths, ...throughs]);
}

/** What callers of operations on collections need. Throws `CommandFailure` for a contract without tokens. */
type Access = (...names: readonly ResourceName[]) => readonly Json[];

const accessTo =
  ({ document }: ContractSide): Access =>
  (...names) => {
    const all = names.map(({ collection }) => securityOf(document, { collection }).read?.[0]);
    const scheme = Object.keys(all[0] ?? {})[0];
    if (scheme === undefined)
      throw new CommandFailure(
        'The contract has no security scheme for bearer tokens, which the operations would require.',
      );
    return [{ [scheme]: [...new Set(all.flatMap((one) => Object.values(one ?? {}).flat()))] }];
  };

const PARAMETERS: Readonly<Record<string, Json>> = {
  Count: COUNT_PARAMETER,
  Limit: limitParameter(20, MAX_LIMIT),
  Cursor: CURSOR_PARAMETER,
};

function sketchOf(draft: Draft, access: Access): ResourceSketch {
  const { name, idSchema } = draft;
  const idParameter = idParameterOf(draft);
  const security = access(name);
  return {
    type: name.type,
    singular: lowerFirst(name.type),
    plural: camelCase(name.collection),
    path: `/${name.collection}`,
    idParameter,
    parameters: { [idParameter]: idSchema },
    actions: { list: { security }, get: { security } },
    list: listOf(draft),
  };
}

/** A parameter with the name of a property would be another key than the id. */
const idParameterOf = ({ name, properties }: Draft): string =>
  firstFree(
    ['Id', 'Key', 'Ref'].map((end) => lowerFirst(name.type) + end),
    (parameter) => !properties.some((one) => one.name === parameter),
  );

/** Filters are what indexes begin with; orders are such properties that are never null. */
function listOf({ properties, relation }: Draft): ListSketch {
  const served = properties.filter((one) => isServed(one, relation));
  return {
    filters: served.flatMap((one) => (OF_LISTS.includes(one.name) ? [] : filterOf(one))),
    sorts: served
      .filter((one) => one.isRequired && one.columns.length === 1 && isOrdered(one))
      .flatMap(({ name }) => [name, `-${name}`]),
    paging: Object.keys(PARAMETERS).map(parameterRef),
  };
}

/** Whether an index begins with the columns of a property, without which each list by it would read the table. */
export const isServed = ({ columns }: Property, { indexes }: Draft['relation']): boolean =>
  indexes.some((index) => columns.every((column, i) => index.columns[i] === column));

/** Decimals and JSON have no order that lists know. */
const isOrdered = ({ value: { type, format, $ref } }: Property): boolean =>
  $ref !== undefined || (typeof type === 'string' && type !== 'array' && format !== 'decimal');

function filterOf({ name, value, target }: Property): readonly Json[] {
  const { type, format, $ref } = value;
  if (target !== undefined)
    return [filterParameter(name, 'equal', () => value, { description: 'Only entries that refer to this resource.' })];
  if ($ref !== undefined) return [filterParameter(name, 'in', () => value)];
  if (typeof type !== 'string' || type === 'array') return [];
  const isRange = type === 'number' || format === 'date' || format === 'date-time' || format === 'date-time-local';
  return [filterParameter(name, isRange ? RANGE : 'equal', () => value)];
}

function resourceSchema({ name, idSchema, key, relation, properties, uniques }: Draft): Json {
  const id = { name: 'id', columns: key, value: idSchema, isRequired: true, comment: undefined, extensions: {} };
  const lone = new Set(uniques.flatMap((names) => (names.length === 1 ? names : [])));
  const several = uniques.filter((names) => names.length > 1);
  const all = properties.map((one) =>
    lone.has(one.name) ? { ...one, extensions: { ...one.extensions, 'x-unique': true } } : one,
  );
  return {
    description: relation.comment ?? `${upperFirst(withArticle(wordsOf(lowerFirst(name.type))))}.`,
    type: 'object',
    'x-table': { schema: relation.schema, name: relation.name },
    ...(several.length > 0 && { 'x-unique': several }),
    properties: {
      id: propertySchema(id),
      version: { type: 'string' },
      ...Object.fromEntries(all.map((one) => [one.name, propertySchema(one)])),
    },
    required: ['id', 'version', ...all.map((one) => one.name)],
  };
}

/** A resource that join tables lead from or to. */
interface End extends Pick<Target, 'name' | 'idSchema'> {
  readonly idParameter: string;
  readonly parameters: readonly unknown[];
  readonly page: string;
  readonly properties: readonly { readonly name: string }[];
}

function endOf(table: string, { drafts, targets }: Written, { draft }: ContractSide): End | undefined {
  const { name, idSchema } = lookUp(targets, table);
  const own = drafts.find((one) => one.name === name);
  if (own) {
    const [idParameter, page] = [idParameterOf(own), pageNameOf({ type: name.type })];
    return { name, idSchema, idParameter, parameters: listParameters(listOf(own)), page, properties: own.properties };
  }
  const known = draft.resources.find((one) => one.name === name.type);
  const { list } = known?.operations ?? {};
  if (!known?.page || !list) return undefined;
  const parameters = list.parameters.filter((one) => one.in === 'query');
  const properties = [...known.schema.properties.values()];
  return { name, idSchema, idParameter: known.idParameter, parameters, page: known.page.name, properties };
}

/** A list of what a join table joins to one of its sides. */
interface Through {
  readonly join: Draft;
  readonly from: Property;
  readonly to: Property;
  readonly above: End;
  readonly listed: End;
  /** The last segment of its path. */
  readonly segment: string;
}

/** A join table refers to two rows by all columns of its key. */
function throughsOf(written: Written, side: ContractSide): readonly Through[] {
  return written.drafts.flatMap((join): Through[] => {
    const keys = join.properties.flatMap((one) =>
      one.target !== undefined && one.columns.every((column) => join.key.includes(column))
        ? [{ ...one, end: endOf(one.target, written, side) }]
        : [],
    );
    const [a, b] = keys;
    const covered = new Set(keys.flatMap(({ columns }) => columns));
    if (!a || !b || keys.length > 2 || covered.size !== join.key.length) return [];
    return [[a, b] as const, [b, a] as const].flatMap(([from, to]) => {
      const [above, listed] = [from.end, to.end];
      if (!above || !listed) return [];
      const own = from.target === to.target ? pluralOf(kebabCase(to.name.replace(/Id$/, ''))) : listed.name.collection;
      const isFree = (segment: string): boolean =>
        !above.properties.some(({ name }) => [name, name.replace(/Id$/, '')].includes(camelCase(segment))) &&
        written.names.take(`/${above.name.collection}/{}/${segment}`);
      const segment = [own, `${join.name.collection}-${own}`].find(isFree);
      return segment === undefined ? [] : [{ join, from, to, above, listed, segment }];
    });
  });
}

/** Its callers may read the row above and the join as well as what it lists: over GraphQL they pass both. */
function throughPath({ join, from, to, above, listed, segment }: Through, access: Access) {
  const { type } = above.name;
  const [many, one] = [wordsOf(camelCase(segment)), wordsOf(lowerFirst(type))];
  const id = { name: above.idParameter, in: 'path', required: true, description: `Id of the ${one}.` };
  return {
    path: `/${above.name.collection}/{${above.idParameter}}/${segment}`,
    file: `${segment}-of-${kebabCase(type)}`,
    item: {
      parameters: [{ ...id, schema: above.idSchema }],
      get: operationObject({
        operationId: `list${upperFirst(camelCase(segment))}Of${type}`,
        tags: [upperFirst(camelCase(listed.name.collection))],
        summary: `List the ${many} of ${withArticle(one)}`,
        description: `The ${many} that rows of \`${join.name.type}\` join to the ${one}.`,
        security: access(above.name, join.name, listed.name),
        'x-through':
          from.target === to.target ? { resource: join.name.type, from: from.name, to: to.name } : join.name.type,
        parameters: listed.parameters,
        answer: { status: 200, description: `A page of ${many}.`, schema: schemaReference(listed.page) },
      }),
    },
  };
}

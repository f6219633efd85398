import { type GraphQLField, getNamedType, isObjectType } from 'graphql';
import {
  accessOf,
  authText,
  type ContractSide,
  directiveOf,
  isDeliberate,
  securityOf,
  wordsOf,
} from '../../compiler/graphql/convention/index.ts';
import { schemaReference } from '../../compiler/json-schema/index.ts';
import { type Reference, referencesOf } from '../../compiler/model/access/index.ts';
import { kebabCase, type ResourceDraft, upperFirst } from '../../compiler/model/index.ts';
import { withArticle } from '../../descriptor/article.ts';
import { nestedOf, resourceWithKey } from '../../descriptor/resource.ts';
import type { ContractFiles } from './contract-files.ts';
import { type OpenContract, type OpenPair, openPair } from './open-contract.ts';
import { type Json, pathNames, pathParameter } from './openapi-resource.ts';
import { operationObject } from './operation-object.ts';

/** What may join the rows of a list to the one above: a resource that refers to both. */
interface Join {
  readonly join: ResourceDraft;
  readonly from: string;
  readonly to: string;
}

/** A connection between two resources of which neither refers to the other, and that no operation with `x-through` serves. */
interface ThroughSite {
  readonly field: GraphQLField<unknown, unknown>;
  readonly below: ResourceDraft;
  readonly listed: ResourceDraft;
  readonly joins: readonly Join[];
}

/** The connections of an SDL that other resources may join. */
export function throughSites({
  schema,
  side: {
    draft: { resources },
  },
}: OpenPair): readonly ThroughSite[] {
  const references = referencesOf(resources);
  return resources.flatMap((below) => {
    const type = schema.getType(below.name);
    if (!isObjectType(type) || !below.operations.get) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const listed = resources.find(({ name }) => getNamedType(field.type).name === `${name}Connection`);
      if (!listed?.operations.list || !listed.page || listed.parent || isDeliberate(schema, field)) return [];
      const isServed = nestedOf(listed).some((one) => one.below === below && one.name === field.name);
      const isInverse = references.some((one) => one.from === listed && one.target === below);
      const by = directiveOf(schema, field, 'by');
      if (isServed || isInverse || by || below.schema.properties.has(field.name)) return [];
      return [{ field, below, listed, joins: joinsOf(below, listed, references) }];
    });
  });
}

/** What may join the rows of two resources: that of the list of the one below the other if there is such, and its path. */
export function joinsBetween(below: ResourceDraft, listed: ResourceDraft, resources: readonly ResourceDraft[]) {
  const joins = joinsOf(below, listed, referencesOf(resources));
  const list = nestedOf(listed).find((one) => one.below === below);
  const isOfList = ({ join, from, to }: Join) => join === list?.join && from === list.from && to === list.to;
  const through = (join: Join) => throughOf(join, joins);
  return { joins: list ? joins.filter(isOfList) : joins, path: list?.operation.path, through };
}

function joinsOf(below: ResourceDraft, listed: ResourceDraft, references: readonly Reference[]): readonly Join[] {
  const others = [...new Set(references.map(({ from }) => from))].filter((one) => one !== below && one !== listed);
  return others.flatMap((join) => {
    const to = (target: ResourceDraft): readonly string[] =>
      references.flatMap((one) => (one.from === join && one.target === target ? [one.property.name] : []));
    return to(below).flatMap((from) => to(listed).flatMap((end) => (from === end ? [] : [{ join, from, to: end }])));
  });
}

/**
 * Adds to the OpenAPI document of a contract the lists through other resources that its SDL has as connections: an SDL does not say
 * what joins the two, so there must be one resource that refers to both. Resolves with sentences: on what was chosen, and on connections
 * that nothing joins, or several resources.
 */
export async function syncJoins(files: ContractFiles, removed?: ReadonlySet<string>): Promise<readonly string[]> {
  const contract = await openPair(files, removed);
  if (!contract) return [];
  const gaps: string[] = [];
  for (const site of throughSites(contract)) gaps.push(await addList(contract, site));
  return gaps;
}

async function addList({ side, writer }: OpenContract, site: ThroughSite): Promise<string> {
  const { field, below, listed, joins } = site;
  const coordinate = `${below.name}.${field.name}`;
  const [joined, ...others] = joins;
  const path = `${below.path}/{${below.idParameter}}/${kebabCase(field.name)}`;
  if (!joined)
    return `the rows that \`${coordinate}\` lists: neither \`${below.name}\` nor \`${listed.name}\` refers to the other, and no other resource refers to both.`;
  const operationId = `list${upperFirst(field.name)}Of${below.name}`;
  const isTaken =
    side.draft.paths.some((one) => one.path === path) || side.operations.some((one) => one.operationId === operationId);
  if (others.length > 0 || isTaken) {
    const ways = joins.map((join) => `\`x-through: ${throughText(join, joins)}\``).join(' or ');
    return `the resource that joins the rows of \`${coordinate}\`: give \`GET ${path}\` ${ways}.`;
  }
  await writer.addPath(path, operationId.replace(/^list/, ''), pathItem(side, site, operationId, joined));
  return `whether \`${coordinate}\` lists the rows that \`${joined.join.name}\` joins, as \`GET ${path}\` does now.`;
}

/** The value of `x-through`: the resource alone, where its properties follow from it. */
function throughOf({ join, from, to }: Join, joins: readonly Join[]) {
  const isClear = joins.filter((one) => one.join === join).length === 1;
  return isClear ? join.name : { resource: join.name, from, to };
}

function throughText(join: Join, joins: readonly Join[]): string {
  const value = throughOf(join, joins);
  if (typeof value === 'string') return value;
  return `{ ${Object.entries(value)
    .map(([name, of]) => `${name}: ${of}`)
    .join(', ')} }`;
}

function pathItem(
  side: ContractSide,
  { field, below, listed }: ThroughSite,
  operationId: string,
  { join }: Join,
): Json {
  const list = listed.operations.list!;
  const { key } = below;
  const above = resourceWithKey(side.resources, key);
  const { description } = field;
  const isAsTheList = authText(accessOf(field, side.document), side.document) === authText(list.access, side.document);
  const [many, one] = [wordsOf(field.name), wordsOf(below.name.charAt(0).toLowerCase() + below.name.slice(1))];
  const summary = `List the ${many} of ${withArticle(one)}`;
  return {
    parameters: pathNames(above).map((name) => pathParameter(side, name)),
    get: operationObject({
      operationId,
      tags: list.node['tags'],
      summary,
      description: description == null || description === summary ? undefined : description,
      security: isAsTheList ? list.node.security : securityOf(field, side.document),
      deprecated: field.deprecationReason != null,
      'x-through': join.name,
      parameters: list.parameters.filter((parameter) => parameter.in === 'query'),
      answer: { status: 200, description: `A page of ${many}.`, schema: schemaReference(listed.page!.name) },
    }),
  };
}

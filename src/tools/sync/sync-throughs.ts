import type { ContractSide } from '../../compiler/graphql/convention/contract-side.ts';
import { authText } from '../../compiler/graphql/convention/directives.ts';
import { withArticle, wordsOf } from '../../compiler/graphql/convention/words.ts';
import { accessOf } from '../../compiler/graphql/fields/access-of.ts';
import { ancestorParameters } from '../../compiler/graphql/fields/names.ts';
import { kebabCase, upperFirst } from '../../compiler/model/naming.ts';
import type { ContractFiles } from './contract-files.ts';
import { type Json, pathParameter, schemaRef } from './openapi-resource.ts';
import { OpenApiWriter } from './openapi-writer.ts';
import { operationOf } from './resources-of-schema.ts';
import { contractSide } from './sync-sdl.ts';
import { type Join, type ThroughSite, throughSites } from './through-sites.ts';

/**
 * Adds to the OpenAPI document of a contract the lists through other resources that its SDL has as connections: an SDL does not say
 * what joins the two, so there must be one resource that refers to both. Resolves with sentences: on what was chosen, and on connections
 * that nothing joins, or several resources.
 */
export async function syncThroughs(files: ContractFiles): Promise<readonly string[]> {
  const source = await files.source();
  const side = contractSide(source);
  if ('findings' in side || !side.schema) return [];
  const writer = new OpenApiWriter(files, source);
  const gaps: string[] = [];
  for (const site of throughSites(side)) gaps.push(await addList(side, writer, site));
  return gaps;
}

async function addList(side: ContractSide, writer: OpenApiWriter, site: ThroughSite): Promise<string> {
  const { field, below, listed, joins } = site;
  const coordinate = `${below.name}.${field.name}`;
  const [joined, ...others] = joins;
  const path = `${below.path}/{${below.idParameter}}/${kebabCase(field.name)}`;
  if (!joined)
    return `what \`${coordinate}\` lists: neither \`${below.name}\` nor \`${listed.name}\` refers to the other, and no other resource refers to both.`;
  const operationId = `list${upperFirst(field.name)}Of${below.name}`;
  const isTaken =
    side.draft.paths.some((one) => one.path === path) || side.operations.some((one) => one.operationId === operationId);
  if (others.length > 0 || isTaken) {
    const ways = joins.map((join) => `\`x-through: ${throughText(join, joins)}\``).join(' or ');
    return `what joins the rows of \`${coordinate}\`: give \`GET ${path}\` ${ways}.`;
  }
  await writer.addPath(path, operationId.replace(/^list/, ''), pathItem(side, site, operationId, joined));
  return `whether \`${coordinate}\` lists what \`${joined.join.name}\` joins, as \`GET ${path}\` does now.`;
}

/** The resource alone, where its properties follow from it. */
function throughText({ join, from, to }: Join, joins: readonly Join[]): string {
  const isClear = joins.filter((one) => one.join === join).length === 1;
  return isClear ? join.name : `{ resource: ${join.name}, from: ${from}, to: ${to} }`;
}

function pathItem(
  side: ContractSide,
  { field, below, listed }: ThroughSite,
  operationId: string,
  { join }: Join,
): Json {
  const list = listed.operations.list!;
  const { key } = below;
  const above = side.resources.find((resource) => resource.key === key)!;
  const { security, description, deprecated } = operationOf(side.document, field);
  const isAsTheList = authText(accessOf(field, side.document), side.document) === authText(list.access, side.document);
  const own = isAsTheList ? list.node.security : security;
  const [many, one] = [wordsOf(field.name), wordsOf(below.name.charAt(0).toLowerCase() + below.name.slice(1))];
  const summary = `List the ${many} of ${withArticle(one)}`;
  const query = list.parameters.filter((parameter) => parameter.in === 'query');
  return {
    parameters: [...ancestorParameters(above), above.idParameter].map((name) => pathParameter(side, name)),
    get: {
      operationId,
      ...(Array.isArray(list.node['tags']) && { tags: list.node['tags'] }),
      summary,
      ...(description !== undefined && description !== summary && { description }),
      ...(own && { security: own }),
      ...(deprecated && { deprecated }),
      'x-through': join.name,
      parameters: query,
      responses: {
        200: {
          description: `A page of ${many}.`,
          content: { 'application/json': { schema: schemaRef(listed.page!.name) } },
        },
      },
    },
  };
}

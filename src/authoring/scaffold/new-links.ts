import { draftOf, wordsOf } from '../../compiler/graphql/convention/index.ts';
import { kebabCase, pathSegments, upperFirst } from '../../compiler/model/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { linksOf } from '../../descriptor/resource.ts';
import { pathNames, pathParameter } from '../sync/openapi-resource.ts';
import { operationObject } from '../sync/operation-object.ts';
import { joinsBetween } from '../sync/sync-joins.ts';
import { type Addition, resourceNamed } from './addition.ts';
import type { Removing } from './removal.ts';

/** The addition of links between the rows of two resources, which a third one joins. */
export const linksAddition =
  (collection: string, other: string): Addition =>
  async ({ side, writer }) => {
    const [above, linked] = [resourceNamed(side, collection), resourceNamed(side, other)];
    const [below, listed] = [draftOf(side, above), draftOf(side, linked)];
    const { joins, path: ofList, through } = joinsBetween(below, listed, side.draft.resources);
    const [joined] = joins;
    if (!joined)
      throw new ConfigError([
        `No resource refers to ${collection} and ${other}: add one, whose \`x-unique\` is the pair.`,
      ]);
    if (joins.some(({ join }) => join !== joined.join))
      throw new ConfigError([
        `Several resources refer to ${collection} and ${other}: add a list with \`x-through\` first.`,
      ]);
    const { join, to } = joined;
    const parameter = pathNames(above).includes(linked.idParameter) ? to : linked.idParameter;
    const segment = pathSegments(ofList ?? listed.path).at(-1);
    const path = `${below.path}/{${below.idParameter}}/${segment}/{${parameter}}`;
    const taken = side.operations.find((one) => one.path === path)?.path ?? linksOf(join)[0]?.operation.path;
    if (taken !== undefined) throw new ConfigError([`${taken} already exists.`]);
    const [create, remove] = [join.operations.create, join.operations.delete];
    const operation = (verb: 'link' | 'unlink', words: string) =>
      operationObject({
        operationId: `${verb}${join.name}`,
        tags: (create ?? remove)?.node.tags,
        summary: upperFirst(wordsOf(`${verb}${join.name}`)),
        security: (verb === 'link' ? create : remove)?.node.security,
        'x-through': through(joined),
        answer: { status: 204, description: words },
      });
    await writer.addPath(path, `${kebabCase(join.name)}-links`, {
      parameters: [
        ...pathNames(above).map((name) => pathParameter(side, name)),
        { ...pathParameter(side, linked.idParameter), name: parameter },
      ],
      put: operation('link', 'They are linked.'),
      delete: operation('unlink', 'They are not linked.'),
    });
  };

/** Takes the links between the rows of two resources away. */
export const linksRemoval =
  (collection: string, other: string): Removing =>
  ({ side }) => {
    const keys = [collection, other].map((name) => resourceNamed(side, name).key);
    const links = side.draft.resources.flatMap((one) => linksOf(one));
    const found = links.filter(({ ends }) => ends.every(({ resource }, i) => resource.key === keys[i]));
    if (found.length === 0) throw new ConfigError([`${collection} has no links to ${other}.`]);
    return { operations: found.map(({ operation }) => operation) };
  };

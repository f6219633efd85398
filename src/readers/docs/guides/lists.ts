import { getNamedType } from 'graphql';
import { enumValues } from '../../../compiler/json-schema/index.ts';
import { INCLUDE_PARAMETER, itemSchema, parameterSchema } from '../../../compiler/model/resources/index.ts';
import { conventionNames } from '../../../descriptor/convention-names.ts';
import {
  declaredAction,
  isListing,
  listOf,
  operationsOf,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { link } from '../layout/links.ts';
import { code, table } from '../layout/markdown.ts';
import type { Reference } from '../reference/reference.ts';
import type { Guide } from './guide.ts';

/** The path and the title of the list of a resource, as a link. */
export function listLink({ places }: Reference, resource: ResourceDescriptor): string {
  const { operationId } = declaredAction(resource, 'list');
  return link(code(operationId), places.operation(operationId));
}

export const paging: Guide = {
  name: 'paging',
  values(shown, reference) {
    const resource = shown.resource(['list']);
    if (!resource?.list) return undefined;
    const { nextCursor, totalCount } = conventionNames(resource.nameCase);
    const { defaultLimit, maximumLimit, pagesBack, countBound } = resource.list;
    const { parameters } = operationWithId(reference.model.operations, declaredAction(resource, 'list').operationId);
    const page = { query: { limit: Math.min(20, maximumLimit) } };
    const next = { query: { ...page.query, cursor: '$CURSOR' } };
    return {
      ...{ resource, page, nextCursor, totalCount, defaultLimit, maximumLimit, pagesBack },
      listLink: listLink(reference, resource),
      next: shown.curl(resource, 'list', next).replaceAll("'", '"'),
      ofAll: shown
        .command(resource, 'list', { query: { limit: maximumLimit } })
        .replace('curl', 'curl -sf')
        .replace(/'([^']*limit=\d+)'/, `"$1\${CURSOR:+&cursor=$CURSOR}"`),
      differ: reference.model.resources.some(
        ({ list }) => list && (list.defaultLimit !== defaultLimit || list.maximumLimit !== maximumLimit),
      ),
      counts: parameters.some(({ name }) => name === 'count'),
      countBound: countBound?.toLocaleString('en'),
    };
  },
};

/** The value of GraphQL's enum for a sort key. */
function sortOf(reference: Reference, resource: ResourceDescriptor, key: string): string {
  const argument = reference.fieldWith('list', resource)?.field.args.find(({ name }) => name === 'sort');
  const values = argument && reference.model.graphql?.descriptor.sorts[getNamedType(argument.type).name];
  return Object.entries(values ?? {}).find(([, value]) => value === key)?.[0] ?? key;
}

export const sorting: Guide = {
  name: 'sorting',
  values(shown, reference) {
    const isSorted = ({ list, actions }: ResourceDescriptor): boolean =>
      (list?.sorts.length ?? 0) > 0 && actions.list !== undefined;
    const resource = shown.resource(['list'], isSorted);
    if (!resource) return undefined;
    const { sorts } = listOf(resource);
    const down = (sorts.find(({ direction }) => direction === 'desc') ?? sorts[0])?.value ?? '';
    return {
      resource,
      sorted: { query: { sort: down } },
      sortedBy: { query: { sort: [down] } },
      options: `{ sort: ['${down}'] }`,
      sortedDocument: shown.graphql(resource, 'list', { given: { sort: [sortOf(reference, resource, down)] } }),
      lists: table(
        ['List', 'Keys', 'Order without'],
        reference.model.resources.filter(isSorted).map((one) => [
          listLink(reference, one),
          listOf(one)
            .sorts.map(({ value }) => code(value))
            .join(', '),
          listOf(one).defaultSort.map(code).join(', ') || 'the id',
        ]),
      ),
    };
  },
};

/** The names that an operation offers to include. */
function namesOffered({ model }: Reference, operationId: string): readonly string[] {
  const include = operationWithId(model.operations, operationId).parameters.find(
    ({ name }) => name === INCLUDE_PARAMETER,
  );
  return (include && enumValues(itemSchema(model.document, parameterSchema(model.document, include)))) ?? [];
}

export const including: Guide = {
  name: 'including',
  values(shown, reference) {
    const { model, places } = reference;
    const isOffered = ({ includes, actions }: ResourceDescriptor): boolean =>
      includes !== undefined &&
      actions.list !== undefined &&
      namesOffered(reference, actions.list.operationId).length > 0;
    const resource = shown.resource(['list'], isOffered);
    if (!resource) return undefined;
    const names = namesOffered(reference, declaredAction(resource, 'list').operationId).slice(0, 2);
    const offering = model.resources.filter(({ includes }) => includes).flatMap(operationsOf);
    return {
      resource,
      included: { query: { include: names.join(',') } },
      includedBy: { query: { include: names } },
      options: `{ include: [${names.map((name) => `'${name}'`).join(', ')}] }`,
      operations: table(
        ['Operation', 'Names'],
        offering.flatMap(({ operationId, action }) => {
          const offered = isListing(action) || action === 'get' ? namesOffered(reference, operationId) : [];
          const row = [link(code(operationId), places.operation(operationId)), offered.map(code).join(', ')];
          return offered.length === 0 ? [] : [row];
        }),
      ),
    };
  },
};

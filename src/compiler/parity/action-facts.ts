import { ACTIONS, type Action, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { accessOf } from '../fields/access-of.ts';
import { ancestorParameters, rootListName } from '../fields/names.ts';
import type { OperationDraft } from '../model/draft.ts';
import { lowerFirst } from '../model/naming.ts';
import { accessText } from './access-text.ts';
import { listFacts } from './list-facts.ts';
import type { Field, Parity } from './parity.ts';

/** Every action of every resource: whether it exists, its arguments, result and access. */
export function actionFacts(parity: Parity): void {
  for (const resource of parity.resources) for (const action of ACTIONS) actionFact(parity, resource, action);
}

function actionFact(parity: Parity, resource: ResourceDescriptor, action: Action): void {
  const draft = parity.draftOf(resource.key);
  const operation = draft.operations[action];
  const coordinate = coordinateOf(parity, resource, action);
  const field = parity.field(coordinate);
  const collection = (draft.operations.list ?? draft.operations.get)!.item;
  const rest = operation ? parity.rest('served', operation.item, operation.method) : parity.rest(undefined, collection);
  const because = operation && parity.rest('', operation.node).because;
  parity.add(
    resource.key,
    'action',
    action,
    { ...rest, because },
    parity.graphql(field && 'served', field, coordinate),
  );
  if (!field || !operation) return;
  fieldFacts(parity, resource.key, coordinate, field, operation, signatureOf(parity, resource, action));
  if (action === 'list') listFacts(parity, resource, coordinate, field);
}

/** The coordinate of an action's field; for the list of a sub-resource it may be a field of the parent. */
function coordinateOf(parity: Parity, resource: ResourceDescriptor, action: Action): string {
  const { query, mutation } = parity.rootNames;
  const parent = parity.resources.find(({ key }) => key === resource.parent?.resource);
  if (action === 'get') return `${query}.${lowerFirst(resource.name)}`;
  if (action !== 'list') return `${mutation}.${action}${resource.name}`;
  const nested = parity.fields.find(
    ([, field]) =>
      field.kind === 'connection' && field.resource === resource.key && field.property === resource.parent?.property,
  );
  const root = `${query}.${rootListName(resource, parent)}`;
  return parity.field(root) ? root : (nested?.[0] ?? root);
}

export interface Signature {
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;
}

function signatureOf(parity: Parity, resource: ResourceDescriptor, action: Action): Signature {
  const { name, schemas } = resource;
  const isNested =
    action === 'list' &&
    !parity.field(
      `${parity.rootNames.query}.${rootListName(
        resource,
        parity.resources.find(({ key }) => key === resource.parent?.resource),
      )}`,
    );
  const ancestors = isNested
    ? {}
    : Object.fromEntries(ancestorParameters(resource).map((parameter) => [parameter, 'ID!']));
  const own = { ...ancestors, id: 'ID!' };
  switch (action) {
    case 'list':
      return { type: `${name}Connection!`, args: { ...ancestors, ...listArguments(resource) } };
    case 'get':
      return { type: name, args: own };
    case 'create':
      return { type: `${name}!`, args: { ...ancestors, input: `${schemas.input}!` } };
    case 'replace':
      return { type: `${name}!`, args: { ...own, input: `${schemas.input}!`, ifVersion: 'Int' } };
    case 'update':
      return { type: `${name}!`, args: { ...own, input: `${schemas.patch}!`, ifVersion: 'Int' } };
    case 'delete':
      return { type: 'ID!', args: { ...own, ifVersion: 'Int' } };
  }
}

export function listArguments({ name, list }: ResourceDescriptor): Record<string, string> {
  return {
    first: 'Int',
    after: 'String',
    ...(list && list.filters.length > 0 && { filter: `${name}Filter` }),
    ...(list && list.sorts.length > 0 && { sort: `[${name}Sort!]` }),
  };
}

/** The result, arguments, access and deprecation of a field. */
export function fieldFacts(
  parity: Parity,
  area: string,
  coordinate: string,
  field: Field,
  operation: OperationDraft,
  { type, args }: Signature,
): void {
  const at = (text: string | undefined) => ({
    ...parity.rest(text, operation.item, operation.method),
    because: undefined,
  });
  const own = (text: string | undefined) => ({ ...parity.graphql(text, field, coordinate), because: undefined });
  parity.add(area, 'return', coordinate, at(type), own(String(field.type)));
  for (const name of new Set([...Object.keys(args), ...field.args.map((arg) => arg.name)])) {
    const found = field.args.find((arg) => arg.name === name);
    const place = `${coordinate}(${name}:)`;
    parity.add(
      area,
      'argument',
      place,
      at(args[name]),
      parity.graphql(found && String(found.type), found ?? field, place),
    );
  }
  parity.add(
    area,
    'scope',
    coordinate,
    at(accessText(operation.access)),
    own(accessText(accessOf(field, parity.document))),
  );
  const graphql = field.deprecationReason == null ? undefined : 'deprecated';
  parity.add(area, 'deprecation', coordinate, at(operation.node.deprecated ? 'deprecated' : undefined), own(graphql));
}

import { ACTIONS, type Action, isFiltered, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { lowerFirst } from '../../model/naming.ts';
import {
  authText,
  fieldText,
  listArgumentsWithDefaults,
  listSizeText,
  type Signature,
} from '../convention/directives.ts';
import { ancestorArguments, getArguments, ownArgument } from '../convention/key-arguments.ts';
import { rootListName } from '../fields/names.ts';
import { fieldFacts } from './field-facts.ts';
import { listFacts } from './list-facts.ts';
import { operationFix } from './operation-fix.ts';
import type { Field, Parity } from './parity.ts';
import { addMember } from './sdl-edits.ts';
import { wayFact } from './way-facts.ts';

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
  const [typeName = '', fieldName = ''] = coordinate.split('.');
  const signature = signatureOf(parity, resource, action, Object.values(parity.rootNames).includes(typeName), field);
  const holder = parity.schema.getType(typeName)?.astNode;
  const written = operation && actionText(parity, resource, action, fieldName, signature);
  parity.add(
    resource.key,
    'action',
    `${resource.name} ${action}`,
    { ...rest, expected: requestLine(resource, action) },
    {
      ...parity.graphql(field && 'served', field ?? { astNode: holder }, coordinate),
      expected: `${typeName}.${written}`,
    },
    () => (written ? addMember(holder, written) : operationFix(parity, resource, action, field!)),
  );
  if (!field || !operation) return;
  fieldFacts(parity, { area: resource.key, coordinate, field }, operation, signature);
  if (action !== 'list') return;
  listFacts(parity, resource, coordinate, field);
  const { query } = parity.rootNames;
  if (typeName === query) return;
  const root = rootListName(resource, parity.resource(resource.parent!.resource));
  const other = actionText(parity, resource, action, root, signatureOf(parity, resource, action, true, undefined));
  wayFact(parity, resource.key, coordinate, operation, other);
}

/** `DELETE /books/{bookId}` */
function requestLine({ path, idParameter }: ResourceDescriptor, action: Action): string {
  const { method, ofCollection } = REQUESTS[action];
  return `${method} ${path}${ofCollection ? '' : `/{${idParameter}}`}`;
}

const REQUESTS = {
  list: { method: 'GET', ofCollection: true },
  get: { method: 'GET', ofCollection: false },
  create: { method: 'POST', ofCollection: true },
  replace: { method: 'PUT', ofCollection: false },
  update: { method: 'PATCH', ofCollection: false },
  delete: { method: 'DELETE', ofCollection: false },
} as const satisfies Record<Action, object>;

/** The whole field of an action, as the conventions have it. */
function actionText(
  parity: Parity,
  resource: ResourceDescriptor,
  action: Action,
  fieldName: string,
  signature: Signature,
): string {
  const { access } = parity.draftOf(resource.key).operations[action]!;
  const auth = authText(access, parity.document) ?? '';
  if (action !== 'list') return fieldText(fieldName, signature, auth);
  const args = listArgumentsWithDefaults(signature.args, resource);
  return fieldText(fieldName, { ...signature, args }, listSizeText(resource.list), auth);
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

/** Corresponds to `If-None-Match: *` over REST. */
const IF_ABSENT = { ifAbsent: 'Boolean' };

/** The signature of an action's field; a field of the parent does not take what names the ancestors. */
function signatureOf(
  parity: Parity,
  resource: ResourceDescriptor,
  action: Action,
  isRoot: boolean,
  field: Field | undefined,
): Signature {
  const { name, schemas, actions } = resource;
  const { document, resources } = parity;
  const keyed = { document, resources, resource, draft: parity.draftOf(resource.key) };
  const ancestors = isRoot ? ancestorArguments(keyed) : {};
  const own = { ...ancestors, ...ownArgument(keyed) };
  switch (action) {
    case 'list':
      return { type: `${name}Connection!`, args: { ...ancestors, ...listArguments(resource) } };
    case 'get':
      return {
        type: name,
        args: {
          ...ancestors,
          ...getArguments(
            keyed,
            (field?.args ?? []).map((arg) => arg.name),
          ),
        },
      };
    case 'create':
      return { type: `${name}!`, args: { ...ancestors, input: `${schemas.input}!` } };
    case 'replace':
      return {
        type: `${name}!`,
        args: { ...own, input: `${schemas.input}!`, ifVersion: 'Int', ...(actions.replace?.creates && IF_ABSENT) },
      };
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
    ...(list?.pagesBack && { last: 'Int', before: 'String' }),
    ...(isFiltered(list) && { filter: `${name}Filter` }),
    ...(list?.search && { search: 'String' }),
    ...(list && list.sorts.length > 0 && { sort: `[${name}Sort!]` }),
  };
}

import { implies } from '../../../descriptor/access.ts';
import { parentOf } from '../../../descriptor/levels.ts';
import { inputName } from '../../../descriptor/operation-inputs.ts';
import { ACTIONS, type Action, nestedOf, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { REQUESTS } from '../../model/action-requests.ts';
import type { OperationDraft, ResourceDraft } from '../../model/draft.ts';
import { lowerFirst } from '../../model/naming.ts';
import { type Member, printOnOneLine } from '../convention/definition.ts';
import { actionField, nestedField } from '../convention/fields.ts';
import { actionFieldName } from '../convention/names.ts';
import { accessText, type Beside, fieldFacts } from './field-facts.ts';
import { listFacts } from './list-facts.ts';
import type { Field, Parity } from './parity.ts';
import { addMember } from './sdl-edits.ts';

/** Every action of every resource: whether it exists, its arguments, result and access. */
export function actionFacts(parity: Parity): void {
  for (const resource of parity.resources) for (const action of ACTIONS) actionFact(parity, resource, action);
}

function actionFact(parity: Parity, resource: ResourceDescriptor, action: Action): void {
  const { operations } = parity.draftOf(resource.key);
  const operation = operations[action];
  const coordinate = coordinateOf(parity, resource, action);
  const [typeName = '', name = ''] = coordinate.split('.');
  const field = parity.field(coordinate);
  const isBelow = !Object.values(parity.rootNames).includes(typeName);
  const member = actionField(parity, resource, action, {
    name,
    isBelow,
    asked: field?.args.map((arg) => arg.name) ?? [],
  });
  if (operation && member) {
    servedFact(parity, resource, `${resource.name} ${action}`, coordinate, operation, member);
    if (field && action === 'list' && isBelow) {
      const root = actionField(parity, resource, action);
      wayFact(parity, resource.key, coordinate, operation, root && printOnOneLine(root));
    }
    return;
  }
  const collection = (operations.list ?? operations.get)!.item;
  const rest = { ...parity.rest(undefined, collection), expected: requestLine(resource, action) };
  parity.add(resource.key, 'action', `${resource.name} ${action}`, rest, sideOf(parity, field, coordinate));
}

/** For `GET /issues/{issueId}/labels`, which lists through another resource, the connection `Issue.labels`. */
export function nestedFacts(parity: Parity): void {
  for (const resource of parity.resources)
    for (const one of nestedOf(parity.draftOf(resource.key))) nestedFact(parity, resource, one);
}

interface Nested {
  readonly operation: OperationDraft;
  readonly below: ResourceDraft;
  readonly name: string;
}

function nestedFact(parity: Parity, resource: ResourceDescriptor, nested: Nested): void {
  const coordinate = `${nested.below.name}.${nested.name}`;
  servedFact(parity, resource, coordinate, coordinate, nested.operation, nestedField(parity, resource, nested));
  if (parity.field(coordinate)) wayFact(parity, resource.key, coordinate, nested.operation);
}

/** Whether an operation has its field, and in what the two differ. `beside`: as `fieldFacts` has it. */
export function servedFact(
  parity: Parity,
  resource: ResourceDescriptor,
  name: string,
  coordinate: string,
  operation: OperationDraft,
  member: Member,
  beside?: Beside,
): void {
  const field = parity.field(coordinate);
  const [typeName = ''] = coordinate.split('.');
  const text = printOnOneLine(member);
  const graphql = { ...sideOf(parity, field, coordinate), expected: `${typeName}.${text}` };
  parity.add(resource.key, 'action', name, parity.rest('served', operation.item, operation.method), graphql, () =>
    addMember(parity.schema.getType(typeName)?.astNode, text),
  );
  if (!field) return;
  fieldFacts(parity, { area: resource.key, coordinate, field }, operation, member, beside);
  headerFacts(parity, resource, coordinate, operation);
  if (member.type === `${resource.name}Connection!`) listFacts(parity, resource, coordinate, field);
}

/** Header fields that the protocols express by arguments, or that are sent with the request in either. */
const KNOWN_HEADERS = new Set(['if-match', 'if-none-match', 'idempotency-key', 'consistency-token']);

/** Header fields and cookies that an action requires over REST alone: its field has no argument for them. */
function headerFacts(parity: Parity, { key }: ResourceDescriptor, coordinate: string, operation: OperationDraft): void {
  for (const parameter of operation.parameters) {
    const name = parameter.in === 'header' || parameter.in === 'cookie' ? inputName(parameter) : undefined;
    if (name === undefined || parameter.required !== true || KNOWN_HEADERS.has(name)) continue;
    const rest = parity.rest(`${parameter.name}, required`, parameter);
    const graphql = parity.graphql(undefined, parity.field(coordinate), coordinate);
    parity.add(key, 'argument', `${coordinate}(${name}:)`, rest, graphql, undefined, NOT_REQUIRED);
  }
}

const NOT_REQUIRED =
  'Do not require it: GraphQL sends no header fields of an action. Or declare it on the parameter: `x-parity: { graphql: absent, because: … }`.';

function sideOf(parity: Parity, field: Field | undefined, coordinate: string) {
  const holder = parity.schema.getType(coordinate.split('.')[0]!)?.astNode;
  return parity.graphql(field && 'served', field ?? { astNode: holder }, coordinate);
}

/** `DELETE /books/{bookId}` */
function requestLine({ path, idParameter }: ResourceDescriptor, action: Action): string {
  const { method, ofCollection } = REQUESTS[action];
  return `${method.toUpperCase()} ${path}${ofCollection ? '' : `/{${idParameter}}`}`;
}

/** The coordinate of an action's field; for the list of a sub-resource it may be a field of the parent. */
function coordinateOf(parity: Parity, resource: ResourceDescriptor, action: Action): string {
  const { query, mutation } = parity.rootNames;
  const parent = parentOf(parity.resources, resource);
  const root = `${action === 'get' || action === 'list' ? query : mutation}.${actionFieldName(resource, action, parent)}`;
  if (action !== 'list' || parity.field(root)) return root;
  const nested = parity.fields.find(
    ([, field]) =>
      field.kind === 'connection' && field.resource === resource.key && field.property === resource.parent?.property,
  );
  return nested?.[0] ?? root;
}

/**
 * An operation that GraphQL has only as a field of a resource, behind the access of that resource: a caller who meets
 * the operation's alone is answered over REST, and refused over GraphQL. `written` is the field that would answer it.
 */
export function wayFact(
  parity: Parity,
  area: string,
  coordinate: string,
  { access, item, method }: OperationDraft,
  written?: string,
): void {
  const [type = ''] = coordinate.split('.');
  const get = parity.draft.resources.find(({ schema }) => schema.name === type)?.operations.get;
  if (!get || implies(access, get.access)) return;
  const { query } = parity.rootNames;
  const own = accessText(access);
  const rest = parity.rest(own, item, method);
  const graphql = parity.graphql(`${accessText(get.access)}, then ${own}`, parity.field(coordinate), coordinate);
  const remedy = written ? `Add \`${query}.${written}\`, or require both over REST.` : 'Require both over REST.';
  const hint = `Over GraphQL it is reached through \`${query}.${lowerFirst(type)}\` alone. ${remedy}`;
  const fix = written && addMember(parity.schema.getType(query)?.astNode, written);
  parity.addStricter({ resource: area, aspect: 'way', name: coordinate, rest, graphql, hint }, fix || undefined);
}

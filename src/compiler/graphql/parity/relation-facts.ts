import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Side } from '../../model/parity-row.ts';
import { schemaNamed } from '../../model/schemas.ts';
import { listArguments, referenceField } from '../convention/fields.ts';
import { type EventKind, eventType } from '../convention/names.ts';
import { accessFact, argumentFacts, fieldFacts, memberFact } from './field-facts.ts';
import { listFacts } from './list-facts.ts';
import type { Parity } from './parity.ts';
import { replaceNode, setDirectives } from './sdl-edits.ts';

/** References, connections in the opposite direction, and events. */
export function relationFacts(parity: Parity): void {
  for (const resource of parity.resources) referenceFacts(parity, resource);
  for (const [coordinate, descriptor] of parity.fields) {
    if (descriptor.kind === 'connection' && descriptor.through === undefined)
      connectionFacts(parity, coordinate, descriptor.resource, descriptor.property);
    if (descriptor.kind === 'created' || descriptor.kind === 'updated' || descriptor.kind === 'deleted')
      eventFacts(parity, coordinate, descriptor.resource, descriptor.kind);
  }
}

/** For a property `userId`, the field `user: User`, with the access of getting a user. */
function referenceFacts(parity: Parity, { key, name, properties }: ResourceDescriptor): void {
  const type = parity.schema.getType(name);
  if (!type) return;
  for (const property of properties) {
    const member = referenceField(parity, property);
    if (!member) continue;
    const coordinate = `${name}.${member.name}`;
    const field = parity.field(coordinate);
    const { holder } = parity.draftOf(key).schema.flat.properties.get(property.name)!;
    const at = (text: string | undefined): Side => parity.rest(text, holder, property.name);
    memberFact(parity, { area: key, aspect: 'reference', holder: type, found: field }, member, at(member.type));
    const { get } = parity.draftOf(property.references!.resource).operations;
    if (!field || !get) continue;
    const site = { area: key, coordinate, field };
    argumentFacts(parity, site, [], at);
    accessFact(parity, site, get);
  }
}

function connectionFacts(parity: Parity, coordinate: string, key: string, property: string): void {
  const resource = parity.resource(key);
  const field = parity.field(coordinate)!;
  const operation = parity.draftOf(key).operations.list;
  const isParent = resource.parent?.property === property;
  if (!isParent) ownerFact(parity, coordinate, resource);
  if (!operation) {
    parity.add(
      key,
      'action',
      coordinate,
      parity.rest(undefined, parity.draftOf(key).operations.get.item),
      parity.graphql('list', field, coordinate),
    );
    return;
  }
  const isOnlyList = isParent && !parity.rows.some(({ aspect, name }) => aspect === 'return' && name === coordinate);
  if (isParent && !isOnlyList) return;
  const member = { name: field.name, type: `${resource.name}Connection!`, args: listArguments(resource) };
  fieldFacts(parity, { area: key, coordinate, field }, operation, member);
  listFacts(parity, resource, coordinate, field);
}

/** A sub-resource is listed by its parent only: any other property would bypass the parent's owner rule. */
function ownerFact(parity: Parity, coordinate: string, resource: ResourceDescriptor): void {
  if (!resource.parent) return;
  const get = parity.draftOf(resource.key).operations.list ?? parity.draftOf(resource.key).operations.get;
  const rest = parity.rest(`by ${resource.parent.property}`, get.item, get.method);
  const connection = parity.descriptor.fields[coordinate] as { readonly property: string };
  parity.add(
    resource.key,
    'owner',
    coordinate,
    rest,
    parity.graphql(`by ${connection.property}`, parity.field(coordinate), coordinate),
    () => setDirectives(parity.field(coordinate)?.astNode, 'by', `@by(property: "${resource.parent!.property}")`),
  );
}

/** Events have the access of reading the resource. */
function eventFacts(parity: Parity, coordinate: string, key: string, kind: EventKind): void {
  const resource = parity.resource(key);
  const field = parity.field(coordinate)!;
  const { operations } = parity.draftOf(key);
  const read = operations.get ?? operations.list;
  const schema = schemaNamed(parity.document, resource.name) as object;
  const rest = read ? parity.rest(eventType(resource, kind), read.item, read.method) : parity.rest(undefined, schema);
  parity.add(key, 'event', coordinate, rest, parity.graphql(String(field.type), field, coordinate), () =>
    rest.text === undefined ? undefined : replaceNode(field.astNode?.type, rest.text),
  );
  if (!read) return;
  const site = { area: key, coordinate, field };
  accessFact(parity, site, read);
  const selecting = field.args.filter(({ name }) => isSelecting(resource, name, kind));
  const wanted = selecting.map(({ name }) => ({ name, type: 'ID' }));
  argumentFacts(parity, site, wanted, (text) => parity.rest(text, schema));
}

/** Events are selected by what refers to other rows, and by the id, which nobody knows of a new row. */
const isSelecting = ({ properties }: ResourceDescriptor, argument: string, kind: string): boolean =>
  properties.some(
    ({ name, origin, references }) =>
      name === argument && (references || origin === 'parent' || (name === 'id' && kind !== 'created')),
  );

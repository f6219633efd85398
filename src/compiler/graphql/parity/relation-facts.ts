import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Fix } from '../../findings/fix.ts';
import { namedSchemas } from '../../model/schemas.ts';
import { accessOf } from '../fields/access-of.ts';
import { accessText } from './access-text.ts';
import { fieldFacts, listArguments } from './action-facts.ts';
import { argumentFix } from './argument-fix.ts';
import { noDefaultFact } from './default-values.ts';
import { accessFix } from './directive-fixes.ts';
import { authText, fieldText } from './expected-field.ts';
import { listFacts } from './list-facts.ts';
import type { Parity } from './parity.ts';
import { addMember, replaceNode, setDirectives } from './sdl-edits.ts';

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
  if (!parity.schema.getType(name)) return;
  for (const { name: property, references } of properties) {
    const target = references && parity.resource(references.resource);
    if (!target || !/.Id$/.test(property)) continue;
    const coordinate = `${name}.${property.replace(/Id$/, '')}`;
    const field = parity.field(coordinate);
    const flat = parity.draftOf(key).schema.flat.properties.get(property)!;
    const rest = {
      ...parity.rest(target.name, flat.holder, property),
      because: parity.rest('', flat.holder, property).because,
    };
    parity.add(
      key,
      'reference',
      coordinate,
      rest,
      parity.graphql(field && String(field.type), field ?? (parity.schema.getType(name) as never), coordinate),
      () => referenceFix(parity, coordinate, target),
    );
    const get = parity.draftOf(target.key).operations.get;
    if (!field || !get) continue;
    const access = accessText(accessOf(field, parity.document));
    parity.add(
      key,
      'scope',
      coordinate,
      parity.rest(accessText(get.access), get.item, get.method),
      parity.graphql(access, field, coordinate),
      () => accessFix(parity, field, get.access),
    );
  }
}

/** Adds the field of a reference, or gives it its type. */
function referenceFix(parity: Parity, coordinate: string, { key, name }: ResourceDescriptor): Fix | undefined {
  const field = parity.field(coordinate);
  if (field) return replaceNode(field.astNode?.type, name);
  const [holder = '', fieldName = ''] = coordinate.split('.');
  const get = parity.draftOf(key).operations.get;
  const auth = (get && authText(get.access, parity.document)) ?? '';
  return addMember(parity.schema.getType(holder)?.astNode, fieldText(fieldName, { type: name, args: {} }, auth));
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
      parity.rest(undefined, parity.draftOf(key).operations.get!.item),
      parity.graphql('list', field, coordinate),
    );
    return;
  }
  const isOnlyList = isParent && !parity.rows.some(({ aspect, name }) => aspect === 'return' && name === coordinate);
  if (isParent && !isOnlyList) return;
  fieldFacts(parity, key, coordinate, field, operation, {
    type: `${resource.name}Connection!`,
    args: listArguments(resource),
  });
  listFacts(parity, resource, coordinate, field);
}

/** A sub-resource is listed by its parent only: any other property would bypass the parent's owner rule. */
function ownerFact(parity: Parity, coordinate: string, resource: ResourceDescriptor): void {
  if (!resource.parent) return;
  const get = parity.draftOf(resource.key).operations.list ?? parity.draftOf(resource.key).operations.get!;
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
function eventFacts(parity: Parity, coordinate: string, key: string, kind: 'created' | 'updated' | 'deleted'): void {
  const resource = parity.resource(key);
  const field = parity.field(coordinate)!;
  const { operations } = parity.draftOf(key);
  const read = operations.get ?? operations.list;
  const schema = namedSchemas(parity.document)[resource.name] as object;
  const rest = read
    ? parity.rest(kind === 'deleted' ? 'ID!' : `${resource.name}!`, read.item, read.method)
    : parity.rest(undefined, schema);
  parity.add(key, 'event', coordinate, rest, parity.graphql(String(field.type), field, coordinate), () =>
    rest.text === undefined ? undefined : replaceNode(field.astNode?.type, rest.text),
  );
  if (!read) return;
  const access = accessText(accessOf(field, parity.document));
  parity.add(
    key,
    'scope',
    coordinate,
    parity.rest(accessText(read.access), read.item, read.method),
    parity.graphql(access, field, coordinate),
    () => accessFix(parity, field, read.access),
  );
  for (const argument of field.args) {
    const place = `${coordinate}(${argument.name}:)`;
    const property = resource.properties.find(({ name }) => name === argument.name);
    parity.add(
      key,
      'argument',
      place,
      parity.rest(property && 'ID', schema),
      parity.graphql(String(argument.type), argument, place),
      () => argumentFix(field, argument.name, property && 'ID'),
    );
    noDefaultFact(parity, key, place, (text) => parity.rest(text, schema), argument);
  }
}

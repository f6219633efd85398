import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { ThroughDraft } from '../../model/draft.ts';
import { authText, fieldText, listArgumentsWithDefaults, listSizeText } from '../convention/directives.ts';
import { listArguments } from './action-facts.ts';
import { fieldFacts } from './field-facts.ts';
import { listFacts } from './list-facts.ts';
import type { Parity } from './parity.ts';
import { addMember } from './sdl-edits.ts';
import { wayFact } from './way-facts.ts';

/** For `GET /issues/{issueId}/labels`, which lists through another resource, the connection `Issue.labels`. */
export function throughFacts(parity: Parity): void {
  for (const resource of parity.resources)
    for (const through of parity.draftOf(resource.key).throughs) listFact(parity, resource, through);
}

function listFact(parity: Parity, resource: ResourceDescriptor, { operation, name, below }: ThroughDraft): void {
  const coordinate = `${below.name}.${name}`;
  const field = parity.field(coordinate);
  const signature = { type: `${resource.name}Connection!`, args: listArguments(resource) };
  const written = fieldText(
    name,
    { ...signature, args: listArgumentsWithDefaults(signature.args, resource) },
    listSizeText(resource.list),
    authText(operation.access, parity.document) ?? '',
  );
  const holder = parity.schema.getType(below.name)?.astNode;
  parity.add(
    resource.key,
    'action',
    coordinate,
    parity.rest('served', operation.item, operation.method),
    {
      ...parity.graphql(field && 'served', field ?? { astNode: holder as never }, coordinate),
      expected: `${below.name}.${written}`,
    },
    () => addMember(holder, written),
  );
  if (!field) return;
  fieldFacts(parity, { area: resource.key, coordinate, field }, operation, signature);
  listFacts(parity, resource, coordinate, field);
  wayFact(parity, resource.key, coordinate, operation);
}

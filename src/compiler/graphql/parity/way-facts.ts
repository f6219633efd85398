import { implies } from '../../../descriptor/access.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { lowerFirst } from '../../model/naming.ts';
import { accessText } from './field-facts.ts';
import type { Parity } from './parity.ts';
import { addMember } from './sdl-edits.ts';

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
  const remedy = written ? `Add \`${query}.${written}\`, or let REST ask for both.` : 'Let REST ask for both.';
  const hint = `Over GraphQL it is reached through \`${query}.${lowerFirst(type)}\` alone. ${remedy}`;
  const fix = written && addMember(parity.schema.getType(query)?.astNode, written);
  parity.addStricter({ resource: area, aspect: 'way', name: coordinate, rest, graphql, hint }, fix || undefined);
}

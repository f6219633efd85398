import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { type Action, type ResourceDescriptor, resourceWithKey } from '../../descriptor/resource.ts';
import type { Asked } from '../../tools/find-action.ts';
import type { ExplainedRule, ExplainedSecurity, Refusal } from './explanation.ts';

/** How an action refuses a caller, from the first thing that is asked to the last; `fields` are the rules of properties. */
export function refusalsFor(
  { operation, resource, action }: Asked,
  { resources }: CompiledContract,
  security: ExplainedSecurity,
  rules: readonly ExplainedRule[],
  fields: readonly ExplainedRule[],
): readonly Refusal[] {
  const found: Refusal[] = [];
  const add = (isSo: boolean | undefined, when: string, answer: string): void => {
    if (isSo) found.push({ when, answer });
  };
  const asksForToken = operation.access.anyOf.length > 0 && !security.alternatives.some((one) => one.isAnonymous);
  const owns = rules.some(({ rule }) => rule === 'x-owner');
  add(asksForToken || owns, 'the request has no token', '401 UNAUTHENTICATED');
  const scopes = security.alternatives.flatMap((one) => one.scopes);
  add(
    asksForToken && scopes.length > 0,
    'the token lacks a scope that `security` requires',
    '403 FORBIDDEN, with the scope',
  );
  if (!resource) return found;
  const isChange = action !== 'get' && action !== 'list';
  add(isChange && resource.tenant !== undefined, lacksTenant(resource, action!), '403 FORBIDDEN, with the claim');
  add(resource.parent !== undefined, 'the parent is not there, or the caller does not read it', '404 NOT_FOUND');
  const isRead = rules.some(({ rule }) => ['x-tenant', 'x-access.read', 'x-owner'].includes(rule));
  const hidden = 'the row is not there, or the caller does not read it';
  add(action !== 'list' && action !== 'create', hidden, '404 NOT_FOUND');
  add(action === 'list' && isRead, 'the caller does not read a row', 'it is absent, from the count as well');
  add(action === 'get' && isRead, 'a field of GraphQL refers to such a row', 'null, with NOT_FOUND in `errors`');
  const isRuled = rules.some(({ rule }) => rule.startsWith('x-access.') && rule !== 'x-access.read');
  const isOwned = rules.some(({ rule, asks }) => rule === 'x-owner' && !asks.includes('read'));
  const pointers = action === 'delete' ? '' : ', with pointers to the values that may be at fault';
  add(
    isRuled || (isOwned && isChange),
    action === 'create'
      ? 'a rule does not hold for the new row'
      : 'the caller reads the row, and a rule of the change does not hold',
    `403 FORBIDDEN${pointers}`,
  );
  const isLimited = (rule: string): boolean =>
    fields.some((field) => field.rule === rule && field.holds !== 'for all rows');
  const isUnread = isLimited('x-access.read');
  const unwritten = 'the input has a property that the caller may not write';
  add(isLimited('x-access.write'), unwritten, '403 FORBIDDEN, with its pointer');
  const asked = 'it filters, sorts or searches by a property that the caller does not read on every row';
  add(action === 'list' && isUnread, asked, '403 FORBIDDEN, with the parameter');
  add(action !== 'delete' && isUnread, 'the caller does not read a property of the row', 'the property is null');
  add(
    isChange && action !== 'delete' && refersToHidden(resource, resources),
    'the input refers to a row that the caller does not read',
    '422 REFERENCE_NOT_FOUND',
  );
  return found;
}

function lacksTenant({ tenant }: Pick<ResourceDescriptor, 'tenant'>, action: Action): string {
  const { claim = [], across } = tenant ?? {};
  const scope = across === undefined || action === 'create' ? '' : `, nor the scope \`${across}\``;
  return `the token has no tenant in its claim \`${claim.join('.')}\`${scope}`;
}

/** Whether callers set a reference to rows of which they may not read all, by the rules of these or of their parents. */
const refersToHidden = (from: ResourceDescriptor, all: CompiledContract['resources']): boolean =>
  from.properties.some(({ name, origin, references }) => {
    const byOwner = !references?.allowsHidden && name !== from.owner?.property;
    return origin !== 'parent' && references !== undefined && hidesRows(references.resource, byOwner, all);
  });

function hidesRows(key: string, byOwner: boolean, all: CompiledContract['resources']): boolean {
  const { rowAccess, owner, parent } = resourceWithKey(all, key);
  if (rowAccess?.read || (byOwner && owner?.reads === 'owner')) return true;
  return parent !== undefined && hidesRows(parent.resource, byOwner, all);
}

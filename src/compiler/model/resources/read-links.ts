import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { LinkEnd, LinkRole } from '../../../descriptor/resource.ts';
import { type Reference, referencesOf } from '../access/relations.ts';
import { tenantOf } from '../access/tenant-rule.ts';
import type { LinkDraft, OperationDraft, ResourceDraft } from '../draft.ts';
import { parameterOf, pathSegments, pathShape } from '../naming.ts';
import { type FurtherFault, faultOf, type ReadFurther, unknownResource } from './further-fault.ts';
import { uniqueSets } from './object-draft.ts';
import { allOf, isLink, type Named, namedBy, THROUGH } from './read-throughs.ts';
import { mappedColumns } from './storage-names.ts';

type AnyLink = LinkDraft<'link'> | LinkDraft<'unlink'>;
type Ends = LinkDraft['ends'];

/** The operations that make links between two rows, and end them, those with faults included. */
export function readLinks(
  document: OpenApiDocument,
  operations: readonly OperationDraft[],
  resources: readonly ResourceDraft[],
): readonly ReadFurther<AnyLink>[] {
  const read = operations.flatMap((operation) => {
    const named = isLink(operation) && namedBy(operation.node);
    return named ? [{ operation, ...readLink(document, operation, named, resources) }] : [];
  });
  return read.map((one, at) => {
    const { resource, further, operation } = one;
    const known = read
      .slice(0, at)
      .find((other) => other.further?.kind === further?.kind && other.resource === resource);
    if (!further || !known) return one;
    const message = `\`${operation.operationId}\` and \`${known.operation.operationId}\` would both be \`${further.kind}${resource?.name}\` in GraphQL.`;
    const also = { node: known.operation.node, key: THROUGH };
    const fault = { ...faultOf(THROUGH, message, 'Remove one: a link of two rows is the same from either.'), also };
    return { operation, ...(resource && { resource }), faults: [fault] };
  });
}

function readLink(
  document: OpenApiDocument,
  operation: OperationDraft,
  named: Named,
  resources: readonly ResourceDraft[],
): Omit<ReadFurther<AnyLink>, 'operation'> {
  const id = `\`${operation.operationId}\``;
  const { resource: name, from, to } = named;
  const join = resources.find((one) => one.name === name);
  if (!join) return { faults: [unknownResource(operation, THROUGH, 'links through', name, resources)] };
  const segments = pathSegments(operation.path);
  const parameter = parameterOf(segments.at(-1)) ?? '';
  const above = resources.find(({ path }) => pathShape(`${path}/{}`) === pathShape(segments.slice(0, -2).join('/')));
  const isOfResource = resources.some(({ path }) => pathShape(`${path}/{}`) === operation.shape);
  if (!above || isOfResource) {
    const hint =
      'It is `/issues/{issueId}/labels/{labelId}`, if `/issues/{issueId}` is a resource, and this path is not.';
    return { faults: [faultOf(THROUGH, `${id} has \`x-through\`, but not the path of a link.`, hint)] };
  }
  const own = referencesOf(resources).filter((one) => one.from === join);
  const chosen = (given: string | undefined, likely: (one: Reference) => boolean, best: string) => {
    const found = own.filter((one) => (given === undefined ? likely(one) : one.property.name === given && likely(one)));
    return found.find((one) => one.property.name === best) ?? (found.length === 1 ? found[0] : undefined);
  };
  const first = chosen(from, ({ target }) => target === above, from ?? above.idParameter);
  const isSecond = ({ property, target }: Reference) =>
    property !== first?.property &&
    !target.parent &&
    (to !== undefined || property.name === parameter || target.idParameter === parameter);
  const second = chosen(to, isSecond, to ?? parameter);
  if (!first || !second) {
    const missing = first ? `the row of \`{${parameter}}\`` : `\`${above.name}\``;
    const message = `${id} links through \`${name}\`, of which not one property is known to refer to ${missing}.`;
    const hint = `Name both: \`x-through: { resource: ${name}, from: ${first?.property.name ?? '…'}, to: ${second?.property.name ?? '…'} }\`. A sub-resource cannot be linked.`;
    return { faults: [faultOf(THROUGH, message, hint)] };
  }
  const ends: Ends = [endOf(first), endOf(second)];
  const kind = operation.method === 'put' ? 'link' : 'unlink';
  const faults = [...shapeFaults(operation), ...joinFaults(document, operation, join, ends, kind)];
  if (faults.length > 0) return { resource: join, faults };
  const rest = { operation, ends, parameter };
  const further: AnyLink = kind === 'link' ? { kind, action: kind, ...rest } : { kind, action: kind, ...rest };
  return { resource: join, faults, further };
}

const endOf = ({ property, target }: Reference): LinkEnd<ResourceDraft> => ({
  resource: target,
  property: property.name,
});

/** What is wrong with the request and the answer. */
function shapeFaults({ operationId, body, parameters, node }: OperationDraft): readonly FurtherFault[] {
  const [strange] = parameters.filter((one) => one.in === 'query' || one.in === 'cookie');
  const statuses = Object.keys(node.responses ?? {}).filter((status) => /^[23]/.test(status));
  const [id, path] = [`\`${operationId}\``, 'The path says everything.'];
  return [
    ...(body ? [faultOf('requestBody', `${id} is a link and has a body.`, `Remove it. ${path}`)] : []),
    ...(strange
      ? [faultOf('parameters', `${id} is a link and has a parameter \`${strange.name}\`.`, `Remove it. ${path}`)]
      : []),
    ...(statuses.join() === '204'
      ? []
      : [faultOf('responses', `${id} does not return 204 alone.`, 'Return 204, also where nothing changes.')]),
  ];
}

/** Why rows of a resource cannot be made and deleted by the two that they join. */
function joinFaults(
  document: OpenApiDocument,
  { operationId }: OperationDraft,
  join: ResourceDraft,
  ends: Ends,
  kind: LinkRole,
): readonly FurtherFault[] {
  const fault = (message: string, hint: string, node: object = join.schema.node): readonly FurtherFault[] => [
    { ...faultOf(THROUGH, `\`${operationId}\` ${message}`, hint), node },
  ];
  const [{ property: from }, { property: to }] = ends;
  const pair = [from, to].toSorted().join();
  const tenant = tenantOf(document, join)?.property;
  const keys = uniqueSets(join).map((names) => names.filter((name) => name !== tenant));
  const columns = (...names: string[]) => names.flatMap((name) => columnsOf(join, name)).toSorted();
  const isKey = join.mapped && columns(from, to).join() === columns('id').join();
  if (!isKey && !keys.some((names) => names.toSorted().join() === pair))
    return fault(`needs a unique pair in \`${join.name}\`.`, `Write \`x-unique: [[${from}, ${to}]]\` on its schema.`);
  if (join.parent && !ends.some(({ property }) => property === join.parent?.property))
    return fault(`creates rows of \`${join.name}\`, which belong to a third.`, 'Use a resource that is below neither.');
  if (kind === 'unlink')
    return join.operations.delete
      ? []
      : fault(`deletes rows of \`${join.name}\`.`, `Add \`DELETE ${join.path}/{${join.idParameter}}\`.`);
  const { input } = join;
  if (!join.operations.create || !input)
    return fault(`creates rows of \`${join.name}\`.`, `Add \`POST ${join.path}\` with an input.`);
  const sent = [from, to].filter((name) => name !== join.parent?.property);
  const lacking = sent.filter((name) => !input.properties.has(name));
  if (lacking.length > 0)
    return fault(`needs ${allOf(lacking)} in \`${input.name}\`.`, 'A link sends the ids of both rows.', input.node);
  const others = [...input.properties.values()].filter((one) => one.required && !sent.includes(one.name));
  if (others.length === 0) return [];
  const needed = allOf(others.map(({ name }) => name));
  return fault(`cannot send ${needed}, which \`${input.name}\` requires.`, 'Do not require it.', input.node);
}

const columnsOf = ({ schema }: ResourceDraft, name: string): readonly string[] => {
  const property = schema.properties.get(name);
  return property ? mappedColumns(property).columns : [];
};

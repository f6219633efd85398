import { isDeepStrictEqual } from 'node:util';
import type { Parameter } from '../../../descriptor/document.ts';
import { schemaNameOf } from '../../../descriptor/references.ts';
import { type Reference, referencesOf } from '../access/relations.ts';
import type { OperationDraft, ResourceDraft, ThroughDraft } from '../draft.ts';
import { camelCase, parameterOf, pathSegments, pathShape } from '../naming.ts';
import { jsonContent } from '../responses.ts';
import type { FurtherFault, ReadFurther } from './further-fault.ts';
import { INCLUDE_PARAMETER } from './list-parameters.ts';

/** The extension of an operation that lists what another resource joins: `x-through: IssueLabel`. */
export const THROUGH = 'x-through';

export interface Named {
  readonly resource: string;
  readonly from?: string;
  readonly to?: string;
}

/** The operations that list what another resource joins, those with faults included. */
export function readThroughs(
  operations: readonly OperationDraft[],
  resources: readonly ResourceDraft[],
): readonly ReadFurther<ThroughDraft>[] {
  const marked = operations.filter((one) => namedBy(one.node) !== undefined && !isLink(one));
  if (marked.length === 0) return [];
  const references = referencesOf(resources);
  return marked.map((operation) => ({ operation, ...read(operation, resources, references) }));
}

/** Whether an operation with `x-through` makes a link, or ends one: any other is to be a list. */
export const isLink = ({ method, path }: OperationDraft): boolean =>
  (method === 'put' || method === 'delete') && parameterOf(pathSegments(path).at(-1)) !== undefined;

/** What `x-through` says; undefined where it is missing, or of a shape that another rule reports. */
export function namedBy(node: object): Named | undefined {
  const value: unknown = (node as Readonly<Record<string, unknown>>)[THROUGH];
  if (typeof value === 'string') return { resource: value };
  const named = Object(value) as Partial<Named>;
  const isName = (one: unknown): boolean => one === undefined || typeof one === 'string';
  const isRead = typeof named.resource === 'string' && isName(named.from) && isName(named.to);
  return isRead ? (named as Named) : undefined;
}

type Read = Omit<ReadFurther<ThroughDraft>, 'operation'>;

const fault = (key: string, message: string, hint: string): Pick<Read, 'faults'> => ({
  faults: [{ key, message, hint }],
});

function read(operation: OperationDraft, resources: readonly ResourceDraft[], references: readonly Reference[]): Read {
  const named = namedBy(operation.node)!;
  const id = `\`${operation.operationId}\``;
  const join = resources.find(({ name }) => name === named.resource);
  if (!join) {
    const message = `${id} lists through \`${named.resource}\`, which is not a resource.`;
    const hint = 'Name the schema of the resource that refers to both, such as `x-through: IssueLabel`.';
    const known = [...new Set(references.map(({ from }) => from.name))];
    return { faults: [{ key: THROUGH, message, hint, unknown: { name: named.resource, known } }] };
  }
  const segments = pathSegments(operation.path);
  const below = resources.find(({ path }) => pathShape(`${path}/{}`) === pathShape(segments.slice(0, -1).join('/')));
  if (operation.method !== 'get' || !below || parameterOf(segments.at(-1)) !== undefined)
    return fault(
      THROUGH,
      `${id} has \`x-through\`, but is not a list below one of a resource.`,
      'It belongs to `GET /issues/{issueId}/labels`, if `/issues/{issueId}` is the path of a resource.',
    );
  const listed = listedBy(operation, resources);
  if (!listed)
    return fault(
      'responses',
      `${id} does not return a page of a resource with its own list.`,
      'Return the page of such a resource with 200, such as `LabelPage`. Sub-resources do not qualify.',
    );
  return { resource: listed, ...joined(operation, { join, below, listed, named }, references) };
}

/** The resource whose page an operation answers; it has a list of its own, and belongs to no other. */
function listedBy(operation: OperationDraft, resources: readonly ResourceDraft[]) {
  const page = schemaNameOf(jsonContent(operation.responses.get('200'))?.schema);
  return resources.find((one) => page !== undefined && one.page?.name === page && one.operations.list && !one.parent);
}

interface Ends {
  readonly join: ResourceDraft;
  readonly below: ResourceDraft;
  readonly listed: ResourceDraft;
  readonly named: Named;
}

function joined(
  operation: OperationDraft,
  { join, below, listed, named }: Ends,
  references: readonly Reference[],
): Pick<Read, 'further' | 'faults'> {
  const from = referring(join, below, named.from, references);
  const to = referring(join, listed, named.to, references);
  const faults = [
    ...endFaults(operation, { join, target: below, chosen: named.from, end: 'from' }, references),
    ...endFaults(operation, { join, target: listed, chosen: named.to, end: 'to' }, references),
    ...parameterFaults(operation, listed),
  ];
  if (faults.length > 0) return { faults };
  if (from[0] === to[0]) {
    const other = referring(join, listed, undefined, references).find((one) => one !== from[0]);
    return fault(
      THROUGH,
      `\`${operation.operationId}\` lists through \`${join.name}\`: its \`${from[0]}\` cannot be both ends.`,
      other === undefined
        ? `Give \`${join.name}\` another property with \`x-references: ${listed.name}\`.`
        : `Write \`x-through: { resource: ${join.name}, from: ${from[0]}, to: ${other} }\`.`,
    );
  }
  const name = camelCase(pathSegments(operation.path).at(-1)!);
  const joins = { join, from: from[0]!, to: to[0]! };
  return { faults, further: { kind: 'through', action: 'list', operation, name, below, ...joins } };
}

/** The properties of the join that refer to a resource, or the one of them that is chosen. */
function referring(
  join: ResourceDraft,
  target: ResourceDraft,
  chosen: string | undefined,
  references: readonly Reference[],
): readonly string[] {
  const found = references.filter((one) => one.from === join && one.target === target).map((one) => one.property.name);
  return chosen === undefined ? found : found.filter((name) => name === chosen);
}

interface End {
  readonly join: ResourceDraft;
  readonly target: ResourceDraft;
  /** The property that `x-through` names. */
  readonly chosen: string | undefined;
  readonly end: 'from' | 'to';
}

function endFaults(
  { operationId }: OperationDraft,
  { join, target, chosen, end }: End,
  references: readonly Reference[],
): readonly FurtherFault[] {
  const found = referring(join, target, chosen, references);
  if (found.length === 1) return [];
  if (found.length > 1)
    return [
      {
        key: THROUGH,
        message: `\`${operationId}\` lists through \`${join.name}\`, where ${allOf(found)} refer to \`${target.name}\`.`,
        hint: `Name one: \`x-through: { resource: ${join.name}, ${end}: ${found[0]} }\`.`,
      },
    ];
  const known = referring(join, target, undefined, references);
  return [
    {
      key: THROUGH,
      message: `\`${operationId}\` lists through \`${join.name}\`, but no such property of it refers to \`${target.name}\`.`,
      hint: `Give \`${join.name}\` a property with \`x-references: ${target.name}\`, and name it where \`x-through\` has \`${end}\`.`,
      ...(chosen !== undefined && known.length > 0 && { unknown: { name: chosen, known } }),
    },
  ];
}

export const allOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ');

/** What callers may ask is the same as of the list itself: one type of filter and one of order serve both. */
function parameterFaults(operation: OperationDraft, { operations }: ResourceDraft): readonly FurtherFault[] {
  const own = queryOf(operation);
  const list = queryOf(operations.list!);
  const differs = [...new Set([...own.keys(), ...list.keys()])].filter(
    (name) => !isDeepStrictEqual(own.get(name), list.get(name)),
  );
  if (differs.length === 0) return [];
  const names = differs.map((name) => `\`${name}\``).join(', ');
  return [
    {
      key: 'parameters',
      message: `\`${operation.operationId}\` lacks parameters of \`${operations.list!.operationId}\`: ${names}.`,
      hint: 'Give both the same query parameters.',
    },
  ];
}

/** The query parameters of an operation that choose its rows, without their words. */
export const queryOf = ({ parameters }: OperationDraft): ReadonlyMap<string, object> =>
  new Map(
    parameters.flatMap((one) =>
      one.in === 'query' && one.name !== INCLUDE_PARAMETER ? [[one.name, withoutText(one)] as const] : [],
    ),
  );

const withoutText = (parameter: Parameter): object => ({ ...parameter, description: undefined });

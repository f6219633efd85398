import { isReference, namesReached, nodeAt, resolveReference, schemaNameOf } from '../../compiler/json-schema/index.ts';
import { type ContractModel, type OperationModel, pathShape } from '../../compiler/model/index.ts';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import { readPattern } from '../../descriptor/read-pattern.ts';

/** The operation of an id, or of a method and a path: `GET /orders/{orderId}`. */
export function findOperation({ operations }: ContractModel, name: string): OperationModel | undefined {
  const [, method = '', path = ''] = /^([A-Z]+) (\/.*)$/.exec(name) ?? [];
  const route = `${method.toLowerCase()} ${pathShape(path)}`;
  return operations.find((one) => one.operationId === name || routeOf(one) === route);
}

export const routeOf = ({ method, path }: OperationModel): string => `${method} ${pathShape(path)}`;

/** What a pointer leads through in a body or an answer, as changes name it: `OrderPage.data`, `Order.note`. */
export interface Passed {
  readonly through: readonly string[];
  /** Everything below these is used, too. */
  readonly to: readonly string[];
}

export type Half = 'reads' | 'sends';

/** What a pointer passes in the bodies of an operation, or in its answers of success; nothing where it leads nowhere. */
export function passedBy(model: ContractModel, operation: OperationModel, half: Half, pointer: string): Passed {
  const { operationId, body, responses } = operation;
  const answers = [...responses].filter(([status]) => /^2/.test(status));
  const contents =
    half === 'sends'
      ? [['body', body?.content] as const]
      : answers.map(([status, { content }]) => [status, content] as const);
  return joined(
    contents.flatMap(([at, content = {}]) =>
      Object.values(content).map(({ schema = true }) =>
        walk(model, schema, `${operationId}.${at}`, pointerTokens(pointer)),
      ),
    ),
  );
}

const joined = (found: readonly Passed[]): Passed => ({
  through: found.flatMap(({ through }) => through),
  to: found.flatMap(({ to }) => to),
});

type Node = Readonly<Record<string, unknown>>;

const NOTHING = joined([]);
/** What says which members an object has; one that has none of these may have any. */
const NAMING = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];

function walk({ document }: ContractModel, schema: unknown, at: string, tokens: readonly string[]): Passed {
  const go = (next: unknown, place: string, rest: readonly string[]): Passed => {
    const found = named(next, place, rest);
    const [token] = rest;
    if (token === undefined || found.through.length > 0 || !isOpen(document, next, token)) return found;
    const here = schemaNameOf(next) ?? place;
    return { through: [here, `${here}.${token}`], to: [here] };
  };
  /** What a schema itself says of a member. */
  const named = (next: unknown, place: string, rest: readonly string[]): Passed => {
    const node = nodeOf(document, next);
    if (!node) return NOTHING;
    const here = schemaNameOf(next) ?? place;
    const [token, ...deeper] = rest;
    if (token === undefined) return { through: [here], to: [here, ...namesReached(document, [next])] };
    const found = joined([
      ...[...partsOf(node), ...alternativesOf(node).flat()].map((branch) => named(branch, here, rest)),
      ...membersOf(node, token).map((member) => go(member, `${here}.${token}`, deeper)),
      go(entryOf(node, token), here, deeper),
    ]);
    // A reference has the name of its schema, and the property one of its own.
    return found.through.length === 0 ? found : joined([{ through: [here, `${here}.${token}`], to: [] }, found]);
  };
  return go(schema, at, tokens);
}

function nodeOf(document: object, schema: unknown): Node | undefined {
  const target = isReference(schema) ? nodeAt(document, schema.$ref) : schema;
  return target === true ? {} : resolveReference<Node>(document, schema as Node | undefined);
}

/** The schemas that hold as well as a schema itself. */
const partsOf = ({ allOf = [], then, else: otherwise, dependentSchemas = {} }: Node): readonly unknown[] =>
  [...(allOf as readonly unknown[]), then, otherwise, ...Object.values(dependentSchemas as Node)].filter(
    (part) => part !== undefined,
  );

/** Lists of schemas, of each of which one holds. */
const alternativesOf = ({ anyOf, oneOf }: Node): readonly (readonly unknown[])[] =>
  [anyOf, oneOf].filter((list) => Array.isArray(list));

function membersOf(node: Node, token: string): readonly unknown[] {
  const { properties = {}, patternProperties = {} } = node as Readonly<Record<string, Node | undefined>>;
  const named = [
    ...(Object.hasOwn(properties, token) ? [properties[token]] : []),
    ...Object.keys(patternProperties).flatMap((one) =>
      (readPattern(one)?.test(token) ?? true) ? [patternProperties[one]] : [],
    ),
  ];
  return named.length > 0 ? named : [node['additionalProperties'] ?? node['unevaluatedProperties']];
}

function entryOf({ prefixItems = [], items, unevaluatedItems }: Node, token: string): unknown {
  if (!isIndex(token)) return undefined;
  return (prefixItems as readonly unknown[])[Number(token)] ?? items ?? unevaluatedItems;
}

const isIndex = (token: string): boolean => /^\d+$/.test(token);

/** Whether a schema leaves it open which members, or entries, there are. */
function isOpen(document: object, schema: unknown, token: string): boolean {
  const node = nodeOf(document, schema);
  if (!node) return false;
  const types = [node['type'] ?? ['object', 'array']].flat();
  const isFree =
    (types.includes('object') && !NAMING.some((keyword) => keyword in node)) ||
    (types.includes('array') && isIndex(token) && entryOf(node, token) === undefined);
  const open = (part: unknown): boolean => isOpen(document, part, token);
  return isFree && partsOf(node).every(open) && alternativesOf(node).every((list) => list.some(open));
}

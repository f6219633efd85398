import { namesReached } from '../../compiler/json-schema/names-reached.ts';
import { resolveReference, schemaNameOf } from '../../compiler/json-schema/references.ts';
import type { ContractModel, OperationModel } from '../../compiler/model/model.ts';
import { pathShape } from '../../compiler/model/naming.ts';
import { pointerTokens } from '../../descriptor/json-pointer.ts';

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
      Object.values(content).map(({ schema }) => walk(model, schema, `${operationId}.${at}`, pointerTokens(pointer))),
    ),
  );
}

const joined = (found: readonly Passed[]): Passed => ({
  through: found.flatMap(({ through }) => through),
  to: found.flatMap(({ to }) => to),
});

type Node = Readonly<Record<string, unknown>>;

function walk({ document }: ContractModel, schema: unknown, at: string, tokens: readonly string[]): Passed {
  const go = (next: unknown, place: string, rest: readonly string[]): Passed => {
    const node = resolveReference<Node>(document, next as Node | undefined);
    if (!node) return joined([]);
    const here = schemaNameOf(next) ?? place;
    const [token, ...deeper] = rest;
    if (token === undefined) return { through: [here], to: [here, ...namesReached(document, [next])] };
    const { properties = {}, items, additionalProperties } = node as { readonly properties?: Node } & Node;
    const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (node[keyword] ?? []) as readonly unknown[]);
    const member = Object.hasOwn(properties, token) ? properties[token] : additionalProperties;
    const found = joined([
      ...branches.map((branch) => go(branch, here, rest)),
      go(member, `${here}.${token}`, deeper),
      go(/^\d+$/.test(token) ? items : undefined, here, deeper),
    ]);
    // A reference has the name of its schema, and the property one of its own.
    return found.through.length === 0 ? found : joined([{ through: [here, `${here}.${token}`], to: [] }, found]);
  };
  return go(schema, at, tokens);
}

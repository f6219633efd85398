import { resolveReference } from '../../../compiler/json-schema/index.ts';
import { apart } from '../../../compiler/model/index.ts';
import { isNode, type Node, nodesBelow } from '../../../compiler/read/index.ts';
import { operationsIn } from './document-parts.ts';

export interface NamesApart {
  readonly properties: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  /** All names of properties. */
  readonly all: ReadonlySet<string>;
}

/** Other names for the properties of a schema, and the parameters of an operation, that are alike, or that a language spells alike. */
export function namesApart(document: Node, spell: (name: string) => string): NamesApart {
  const parts = [...nodesBelow(document, 'document')];
  const nodesOf = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [part.node] : []));
  const properties = nodesOf('schema').map(({ properties: own }) => (isNode(own) ? Object.keys(own) : []));
  const parameters = nodesOf('operation').map((operation) =>
    [operation['parameters'] ?? []]
      .flat()
      .map((one) => String(resolveReference<Node>(document, one as Node)?.['name'])),
  );
  const renamed = (lists: readonly (readonly string[])[]): Readonly<Record<string, string>> =>
    Object.fromEntries(
      lists.flatMap((names) =>
        names.map((name) => [name, apart(name, names, spell)] as const).filter(([name, own]) => own !== name),
      ),
    );
  return { properties: renamed(properties), parameters: renamed(parameters), all: new Set(properties.flat()) };
}

/** Renames the operations that are alike, except those of `kept`. */
export function renameOperations(document: Node, kept: ReadonlySet<string>): void {
  const operations = operationsIn(document);
  const ids = operations.map(({ operationId }) => String(operationId));
  for (const operation of operations) {
    const own = String(operation['operationId']);
    if (!kept.has(own)) operation['operationId'] = apart(own, ids);
  }
}

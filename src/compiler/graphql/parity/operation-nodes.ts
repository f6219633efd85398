import { isReference, nodeAt } from '../../json-schema/references.ts';
import type { ContractDraft, OperationDraft } from '../../model/draft.ts';
import { isRestOnly } from '../convention/contract-side.ts';

/** The operations that GraphQL does not deliberately lack. */
export const servedOperations = ({ operations }: ContractDraft): readonly OperationDraft[] =>
  operations.filter(({ node }) => !isRestOnly(node));

/** The nodes that operations lead to, by references too, but for what GraphQL deliberately lacks. */
export function nodesOf(
  { document }: ContractDraft,
  operations: readonly OperationDraft[],
  sentAlone = false,
): ReadonlySet<unknown> {
  const nodes = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || nodes.has(node) || isRestOnly(node)) return;
    nodes.add(node);
    if (isReference(node)) visit(nodeAt(document, node.$ref));
    for (const inner of Object.values(node)) visit(inner);
  };
  for (const { parameters, body, responses } of operations) {
    visit(body);
    if (sentAlone) continue;
    for (const one of parameters) visit(one);
    for (const [status, response] of responses) if (/^2/.test(status)) visit(response);
  }
  return nodes;
}

import type { Finding } from '../findings/finding.ts';
import type { ContractDraft, ResourceDraft } from '../model/draft.ts';
import { usesExtensions } from '../model/extensions/uses-extensions.ts';
import type { Fault, Rule } from './rule.ts';

/** Fewer are corrected as fast as the summary is read, where they are errors. */
const LEAST = 3;

/** A finding with its place. */
export interface Placed {
  readonly node: object;
  readonly finding: Finding;
}

/** Its findings sum up those of all other rules. */
export const resourceFit: Rule = {
  id: 'resource-fit',
  summary: 'A collection that almost follows the conventions either follows them or declares that it does not.',
  advice:
    'Correct the listed differences, or write `x-resource: false` on the schema: your own handlers then serve it unchanged.',
  severity: 'warning',
  check: () => [],
};

/**
 * Says in one summary what would make a resource of what other tools have written, and how to serve it as it is. Whoever
 * uses extensions means the conventions, and needs no summary. `isServed`: it is served as it is already.
 */
export function* fitSummaries(draft: ContractDraft, placed: readonly Placed[], isServed = false): Iterable<Fault> {
  if (usesExtensions(draft)) return;
  for (const resource of draft.resources) {
    const nodes = nodesOf(resource);
    const own = placed.filter(({ node, finding }) => finding.severity === 'error' && nodes.has(node));
    if (own.length < LEAST && !isServed) continue;
    yield {
      message: isServed
        ? `\`${resource.name}\` at \`${resource.path}\` could be a resource; it is served as it is, by handlers of yours.`
        : `\`${resource.name}\` at \`${resource.path}\` is almost a resource: ${own.length} errors are in the way.`,
      hint: `To make it one: ${own.map(stepOf).join(' ')} ${isServed ? 'To hear no more of it' : 'To serve it as it is, with handlers of yours'}: write \`x-resource: false\` on \`${resource.name}\`.`,
      node: resource.schema.node,
    };
  }
}

const stepOf = ({ finding: { location, hint } }: Placed, index: number): string =>
  `(${index + 1}) ${location.file}:${location.line}: ${hint}`;

/** All that belongs to a resource: its schemas, those of what callers send, and its operations. */
function nodesOf({ schema, input, patch, page, operations }: ResourceDraft): ReadonlySet<object> {
  const nodes = new Set<object>();
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || nodes.has(value)) return;
    nodes.add(value);
    for (const member of Object.values(value)) add(member);
  };
  for (const one of [schema, input, patch, page]) for (const node of one?.flat.nodes ?? []) add(node);
  for (const { item, node, parameters } of Object.values(operations))
    for (const one of [item, node, parameters]) add(one);
  return nodes;
}

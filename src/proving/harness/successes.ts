import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { operationsOf, resourceWithKey } from '../../descriptor/resource.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { circleOf } from '../../tools/synthetic/index.ts';
import type { Outcome } from './step.ts';

/** An operation that never succeeded. */
export interface Unmet {
  readonly operationId: string;
  /** What it was answered, the most frequent first: "NOT_FOUND (12), FORBIDDEN (3)". */
  readonly reason: string;
  /** Why no caller could succeed: its code is missing, or the contract forbids it. Undefined: some caller should have. */
  readonly excuse: string | undefined;
}

const MISSING = /^(?:NOT_IMPLEMENTED|501)\b/;

/** How operations were answered: which of them succeeded, and how often the others were refused. */
export class Successes {
  readonly #succeeded = new Set<string>();
  readonly #refused = new Map<string, Map<string, number>>();

  /** `outcome`: that of a step, or the reason of a refusal; undefined for a success. */
  add(operationId: string, outcome: Outcome | string | undefined): void {
    const reason = typeof outcome === 'object' ? reasonOf(outcome) : outcome;
    if (reason === undefined) this.#succeeded.add(operationId);
    else {
      const counts = this.#refused.get(operationId) ?? new Map<string, number>();
      this.#refused.set(operationId, counts.set(reason, (counts.get(reason) ?? 0) + 1));
    }
  }

  get succeeded(): ReadonlySet<string> {
    return this.#succeeded;
  }

  get asked(): readonly string[] {
    return [...new Set([...this.#succeeded, ...this.#refused.keys()])];
  }

  /** Those of some operations that never succeeded. */
  unmet(operationIds: readonly string[], contract: CompiledContract): readonly Unmet[] {
    return operationIds
      .filter((one) => !this.#succeeded.has(one))
      .map((operationId) => {
        const counts = [...(this.#refused.get(operationId) ?? [])].sort(([, a], [, b]) => b - a);
        const reason = counts.map(([name, count]) => `${name} (${count})`).join(', ') || 'never asked';
        const isMissing = counts.some(([name]) => MISSING.test(name));
        return { operationId, reason, excuse: isMissing ? 'it has no handler' : impossibility(operationId, contract) };
      });
  }
}

const reasonOf = (outcome: Outcome): string | undefined => {
  if (outcome.kind === 'data') return undefined;
  return outcome.kind === 'error' ? outcome.code : 'malformed';
};

/** Why a contract lets no operation succeed: none of its credentials are tokens, or its rows need each other. */
function impossibility(operationId: string, { rest, resources }: CompiledContract): string | undefined {
  const operation = rest.operations.find((one) => one.operationId === operationId);
  const needsOther = ({ access }: OperationDescriptor): boolean =>
    access.anyOf.length > 0 &&
    access.anyOf.every(({ schemes }) => schemes.some(({ name }) => !rest.securitySchemes[name]?.isBearer));
  if (operation && needsOther(operation)) return 'its credentials are not bearer tokens';
  const of = resources.find((resource) => operationsOf(resource).some((one) => one.operationId === operationId));
  const circular = of && circleOf(of.key, resources);
  if (circular === undefined) return undefined;
  return `the contract lets nobody make the first ${resourceWithKey(resources, circular).name}, which must refer to what needs one`;
}

/** Lines about operations that never succeeded, under headings. */
export function unmetLines(unmet: readonly Unmet[]): readonly string[] {
  const excused = unmet.filter(({ excuse }) => excuse !== undefined);
  const others = unmet.filter(({ excuse }) => excuse === undefined);
  return [
    ...section(
      'Never succeeded:',
      others.map(({ operationId, reason }) => `${operationId}: ${reason}`),
    ),
    ...section(
      'Could not succeed:',
      excused.map(({ operationId, excuse }) => `${operationId}: ${excuse}`),
    ),
  ];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [[title, ...lines.map((line) => `  ${line}`)].join('\n')] : [];

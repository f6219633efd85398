import { textTable } from '../../tools/operation-table.ts';
import { curlOf, type WireReply, type WireRequest } from '../harness/request.ts';
import type { Outcome } from '../harness/step.ts';
import { Successes, type Unmet } from '../harness/successes.ts';

/** What one protocol was sent, and answered. */
export interface Answer {
  readonly protocol: string;
  readonly request: WireRequest;
  readonly reply: WireReply;
}

/** One step over all protocols. */
export interface Exchange {
  readonly resource: string;
  readonly action: string;
  readonly caller: string;
  readonly label: string;
  readonly answers: readonly Answer[];
  /** Undefined when the protocols agree. */
  readonly difference: string | undefined;
}

export interface Row {
  readonly resource: string;
  readonly action: string;
  readonly caller: string;
  run: number;
  differed: number;
  /** Steps that succeeded alike. */
  succeeded: number;
  /** Steps that were refused alike. */
  refused: number;
}

/** The results of a proof. */
export class ParityRecord {
  readonly differences: Exchange[] = [];
  readonly notCovered: string[] = [];
  readonly #rows = new Map<string, Row>();
  /** How often each outcome was compared; a proof that meets only refusals proves little. */
  readonly outcomes = new Map<string, number>();
  /** What every operation was answered. */
  readonly successes = new Successes();
  /** Operations that never succeeded, though they could be compared. */
  unmet: readonly Unmet[] = [];
  events = 0;

  add(exchange: Exchange, answered: Outcome): void {
    const outcome = answered.kind === 'error' ? answered.code : answered.kind;
    const { resource, action, caller } = exchange;
    const key = [resource, action, caller].join('\n');
    const row = this.#rows.get(key) ?? { resource, action, caller, run: 0, differed: 0, succeeded: 0, refused: 0 };
    this.#rows.set(key, row);
    row.run += 1;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (exchange.difference !== undefined) {
      row.differed += 1;
      this.differences.push(exchange);
    } else if (answered.kind === 'data') row.succeeded += 1;
    else row.refused += 1;
  }

  /** Records, once, what the proof cannot compare. */
  skip(reason: string): void {
    if (!this.notCovered.includes(reason)) this.notCovered.push(reason);
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  get run(): number {
    return this.#sum('run');
  }

  get differed(): number {
    return this.#sum('differed');
  }

  get succeeded(): number {
    return this.#sum('succeeded');
  }

  get refused(): number {
    return this.#sum('refused');
  }

  /** Operations that never succeeded, though somebody should have. */
  get failed(): readonly Unmet[] {
    return this.unmet.filter(({ excuse }) => excuse === undefined);
  }

  #sum(count: 'run' | 'differed' | 'succeeded' | 'refused'): number {
    return this.rows.reduce((sum, row) => sum + row[count], 0);
  }
}

const MAX_ANSWER = 2000;

/** A difference with the requests that reproduce it. */
export function formatDifference({ resource, action, caller, label, answers, difference }: Exchange): string {
  const lines = answers.flatMap(({ request, reply }) => [
    `  ${curlOf(request)}`,
    `    ${reply.status} ${reply.text.slice(0, MAX_ANSWER)}`,
  ]);
  return [`${resource} ${action}, ${caller}, ${label}: ${difference}`, ...lines].join('\n');
}

/** A table for the terminal, with a line for each resource, action and caller. */
export function formatRows(rows: readonly Row[]): string {
  const cells = rows.map(({ resource, action, caller, run, succeeded, refused, differed }) =>
    [resource, action, caller, run, succeeded, refused, differed].map(String),
  );
  return textTable([['resource', 'action', 'caller', 'run', 'succeeded', 'refused', 'differed'], ...cells], 3);
}

import type { Claims } from '../../runtime/auth/index.ts';
import type { Verdict } from '../../runtime/engine/access/index.ts';

/** What decides about one action for one caller; with `--format json`, this is what is printed. */
export interface Explanation {
  /** `patients.update`; the operationId of a custom operation. */
  readonly action: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly caller: ExplainedCaller;
  readonly security: ExplainedSecurity;
  /** In the order in which they are asked. */
  readonly rules: readonly ExplainedRule[];
  /** Of properties that the action shows or takes. */
  readonly properties: readonly ExplainedRule[];
  readonly statements: readonly ExplainedStatement[];
  readonly refusals: readonly Refusal[];
}

interface ExplainedCaller {
  /** "a caller with a token and no scopes". */
  readonly name: string;
  /** Undefined: no token. */
  readonly claims: Claims | undefined;
}

export interface ExplainedSecurity {
  readonly admits: boolean;
  /** One of these suffices; none: everybody may call it. */
  readonly alternatives: readonly SecurityAlternative[];
}

interface SecurityAlternative {
  /** Whether it asks for no credentials. */
  readonly isAnonymous: boolean;
  readonly scopes: readonly string[];
  readonly lacks: readonly string[];
}

export type Holds = Verdict['holds'];

/** A rule of `x-tenant`, `x-owner` or `x-access`, and what it comes to for the caller. */
export interface ExplainedRule {
  /** Name of the resource; `Order.note` for a rule of a property. */
  readonly resource: string;
  readonly rule: string;
  /** What it is asked about: "the row, which it must read". */
  readonly asks: string;
  readonly holds: Holds;
  /** Of `x-access` and `x-owner`: one of these suffices. Of `x-tenant`: its one sentence. */
  readonly alternatives: readonly ExplainedAlternative[];
  /** Of a property, where it depends on the row: whether the row itself decides, or a statement below. */
  readonly toldBy?: 'the row' | 'the database';
}

export interface ExplainedAlternative {
  readonly words: string;
  readonly holds: Holds;
  readonly lacks: readonly string[];
}

/** SQL as it is executed for this caller; a value that only the request knows is `:name` of its path parameter. */
export interface ExplainedStatement {
  /** What it is for: "the row, if the caller reads it". */
  readonly reads: string;
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
  /** How the database goes about it, in its own words; empty without a database to ask. */
  readonly plan: readonly string[];
}

export interface Refusal {
  readonly when: string;
  readonly answer: string;
}

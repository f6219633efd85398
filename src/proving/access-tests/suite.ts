import type { Location } from '../../compiler/findings/index.ts';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { CallerClaims } from '../testing/serve.ts';

export type Values = Readonly<Record<string, unknown>>;

/** The tests of an `access.yaml`, whose names have been found. */
export interface AccessSuite {
  /** By name; undefined: anonymous. */
  readonly callers: ReadonlyMap<string, CallerClaims | undefined>;
  readonly rows: readonly NamedRow[];
  readonly tests: readonly AccessTest[];
}

export interface NamedRow {
  readonly name: string;
  readonly resource: ResourceDescriptor;
  /** References are names of rows still. */
  readonly values: Values;
  readonly location: Location;
}

export interface AccessTest {
  readonly who: readonly string[];
  readonly resource: ResourceDescriptor;
  readonly action: Action;
  /** Names of rows. */
  readonly row?: string | undefined;
  readonly under?: string | undefined;
  readonly values: Values;
  readonly expected: Expected;
  readonly location: Location;
}

const OUTCOMES = ['allowed', 'forbidden', 'not found', 'unauthenticated'] as const;

export interface Expected {
  readonly outcome: (typeof OUTCOMES)[number];
  /** Names of rows of a list. */
  readonly listed: readonly string[];
  readonly hidden: readonly string[];
  /** Properties that the answer has no value of. */
  readonly empty: readonly string[];
}

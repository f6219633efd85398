/**
 * Hand-written code for any contract. `Handlers` in its `generated/handlers.ts` is the exact type; the server compares
 * handlers and contract at boot.
 * @example
 * import type { ServedHandlers } from 'lockstep';
 * import { serve, type TestService } from 'lockstep/testing';
 *
 * const serveWith = (handlers: ServedHandlers): Promise<TestService> => serve({ contracts: 'contracts', handlers });
 */
export interface ServedHandlers {
  readonly overrides?: object;
  readonly operations?: object;
  readonly security?: object;
  readonly fields?: object;
  readonly versions?: object;
  /** Replacements of routes and of resolvers. */
  readonly routes?: object;
  readonly resolvers?: object;
  readonly jobs?: readonly object[];
  readonly on?: object;
  readonly schedules?: object;
}

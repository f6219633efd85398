import type { GraphQLError } from 'graphql';
import type { ApiError } from '../../errors/api-error.ts';

/** What is wrong with a request before it is executed: of the catalogue, or found by graphql-js. */
export type RequestFault = ApiError<string> | GraphQLError;

/** Ends a request before execution, with everything that is wrong with it. */
export class RequestFaults extends Error {
  readonly faults: readonly RequestFault[];

  constructor(faults: readonly RequestFault[]) {
    super(faults[0]?.message);
    this.name = 'RequestFaults';
    this.faults = faults;
  }
}

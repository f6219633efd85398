import type { GraphQLError } from 'graphql';
import type { ApiError } from '../../errors/api-error.ts';

/** An error in a request that is found before execution, by us or by graphql-js. */
export type RequestFault = ApiError<string> | GraphQLError;

/** Rejects a request before execution, with all of its errors. */
export class RequestFaults extends Error {
  readonly faults: readonly RequestFault[];

  constructor(faults: readonly RequestFault[]) {
    super(faults[0]?.message);
    this.name = 'RequestFaults';
    this.faults = faults;
  }
}

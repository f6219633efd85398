import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { graphqlOutcome } from './graphql-outcome.ts';
import { GraphqlRequests } from './graphql-requests.ts';
import type { WireReply, WireRequest } from './request.ts';
import { RestRequests, restOutcome } from './rest-requests.ts';
import type { Outcome, Step } from './step.ts';

/** How a step is asked for, and its answer read, over one protocol. */
export interface Protocol {
  readonly name: string;
  /** Undefined: the protocol has no such action. */
  request(step: Step): WireRequest | undefined;
  outcome(step: Step, reply: WireReply): Outcome;
  /** Whether a step passes the parent's own field, which answers for a hidden one first. */
  isThroughParent(step: Step): boolean;
}

/** What requests are built with over each protocol; made once, as it takes long. */
export interface Requests {
  readonly rest: RestRequests;
  /** Undefined: the contract is REST only. */
  readonly graphql: GraphqlRequests | undefined;
}

export const requestsOf = (contract: CompiledContract): Requests => ({
  rest: new RestRequests(contract),
  graphql: contract.graphql && new GraphqlRequests(contract.graphql),
});

/** The protocols that a contract is served over. */
export function protocolsOf(contract: CompiledContract): readonly Protocol[] {
  const { rest, graphql } = requestsOf(contract);
  const routeOf = ({ resource, action }: Step) => graphql?.route(resource, action);
  const inREST = (step: Step): Step =>
    graphql ? { ...step, input: graphql.restInput(step, routeOf(step)?.fields.at(-1)?.input) } : step;
  return [
    {
      name: 'REST',
      request: (step) => rest.request(inREST(step)),
      outcome: restOutcome,
      isThroughParent: () => false,
    },
    ...(graphql ? [overGraphql(graphql)] : []),
  ];
}

function overGraphql(requests: GraphqlRequests): Protocol {
  const routeOf = ({ resource, action }: Step) => requests.route(resource, action);
  return {
    name: 'GraphQL',
    request(step) {
      const route = routeOf(step);
      return route && requests.request(step, route);
    },
    outcome: (step, reply) => graphqlOutcome(step, routeOf(step)!, reply),
    isThroughParent: (step) => (routeOf(step)?.fields.length ?? 0) > 1,
  };
}

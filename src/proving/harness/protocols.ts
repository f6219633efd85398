import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { ToolDescriptor } from '../../descriptor/tools.ts';
import { argumentOf, graphqlOutcome } from './graphql-outcome.ts';
import { GraphqlRequests, type Route, routeName } from './graphql-requests.ts';
import type { WireReply, WireRequest } from './request.ts';
import { RestRequests, restOutcome } from './rest-requests.ts';
import { type Outcome, operationOf, type ReportedError, type Step } from './step.ts';
import { argumentOfTool, ToolRequests, toolOutcome } from './tool-requests.ts';

/** A step as a protocol is asked for it, and how the answer is read. */
interface Call {
  /** The name of the protocol. */
  readonly protocol: string;
  readonly request: WireRequest;
  /** Whether the step passes the parent's own field, which answers for a hidden one first. */
  readonly isThroughParent: boolean;
  readonly outcome: (reply: WireReply) => Outcome;
}

/** A call whose answer is compared with that of REST. */
export interface ComparedCall extends Call {
  /** What it calls: `user.orders`, `tool getOrder`. */
  readonly subject: string;
  /** The data that are due where REST answers these. */
  readonly expected: (value: unknown) => unknown;
  /** The path into the arguments where an error is due that REST reports. */
  readonly argument: (error: ReportedError, code: string) => string;
  /** Whether the outcomes mean the same, though they differ. */
  readonly isSame?: (rest: Outcome, other: Outcome) => boolean;
}

/** How steps are asked for, and answers read, over one protocol; undefined where it may lack an action. */
export interface Protocol<C = Call | undefined> {
  readonly name: string;
  readonly call: (step: Step) => C;
}

/** REST, and those that are compared with it. */
export type Protocols = readonly [Protocol<Call>, ...Protocol<ComparedCall | undefined>[]];

/** What requests are built with over each protocol; made once, as it takes long. */
export interface Requests {
  readonly rest: RestRequests;
  /** Undefined: the contract is REST only. */
  readonly graphql: GraphqlRequests | undefined;
  /** Undefined: agents are offered nothing. */
  readonly tools: ToolRequests | undefined;
}

export const requestsOf = (contract: CompiledContract): Requests => ({
  rest: new RestRequests(contract),
  graphql: contract.graphql && new GraphqlRequests(contract.graphql),
  tools: contract.tools && new ToolRequests(contract),
});

/** The protocols that a contract is served over. */
export function protocolsOf({ rest, graphql, tools }: Requests): Protocols {
  const inputOf = (step: Step): unknown =>
    graphql ? graphql.restInput(step, graphql.route(step.resource, step.action)?.fields.at(-1)?.input) : step.input;
  const overRest = (step: Step): Call => ({
    protocol: 'REST',
    request: rest.request({ ...step, input: inputOf(step) }),
    isThroughParent: false,
    outcome: (reply) => restOutcome(step, reply),
  });
  const overGraphql = (requests: GraphqlRequests) => (step: Step) => {
    const route = step.through ? undefined : requests.route(step.resource, step.action);
    return route && graphqlCall(requests, step, route);
  };
  const overTools = (requests: ToolRequests) => (step: Step) => {
    const tool = requests.of(operationOf(step), step.caller);
    return tool && toolCall(step, tool, requests.request({ ...step, input: inputOf(step) }, tool));
  };
  return [
    { name: 'REST', call: overRest },
    ...(graphql ? [{ name: 'GraphQL', call: overGraphql(graphql) }] : []),
    ...(tools ? [{ name: 'MCP', call: overTools(tools) }] : []),
  ];
}

/** A step by a route of fields. */
export function graphqlCall(requests: GraphqlRequests, step: Step, route: Route): ComparedCall {
  return {
    protocol: 'GraphQL',
    subject: routeName(route),
    request: requests.request(step, route),
    isThroughParent: route.fields.length > 1,
    outcome: (reply) => graphqlOutcome(step, route, reply),
    expected: (value) => requests.expected(route, step.action, value),
    argument: (error, code) => argumentOf(error, code, step, route, requests.translators),
  };
}

/** A step by the tool of its operation, whose answers and errors are those of REST. */
export function toolCall(step: Step, { name }: ToolDescriptor, request: WireRequest, saysStatus = false): ComparedCall {
  return {
    protocol: 'MCP',
    subject: `tool ${name}`,
    request,
    isThroughParent: false,
    outcome: (reply) => toolOutcome(step, reply, saysStatus),
    // Without content, what was deleted is not named.
    expected: (value) => (step.action === 'delete' ? true : value),
    argument: argumentOfTool,
  };
}

import { buildSchema } from 'graphql';
import { createTranslators } from '../../compiler/graphql/translate/translators.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { graphqlOutcome } from './graphql-outcome.ts';
import { GraphqlRequests } from './graphql-requests.ts';
import type { WireReply, WireRequest } from './request.ts';
import { RestRequests, restOutcome } from './rest-requests.ts';
import type { Outcome, Step } from './step.ts';

/** How a step is asked for, and its answer read, over one protocol. */
export interface Protocol {
  readonly name: 'REST' | 'GraphQL';
  /** Undefined: the protocol has no such action. */
  request(step: Step): WireRequest | undefined;
  outcome(step: Step, reply: WireReply): Outcome;
  /** Whether a step passes the parent's own field, which tells of a hidden one first. */
  isThroughParent(step: Step): boolean;
}

/** The protocols that a contract is served over. */
export function protocolsOf({ document, graphql }: CompiledContract): readonly Protocol[] {
  if (!graphql) return [rest(new RestRequests(document, AS_IT_IS, () => undefined))];
  const schema = buildSchema(graphql.sdl);
  const translators = createTranslators(schema, graphql.descriptor);
  const requests = new GraphqlRequests(schema, graphql.descriptor, translators);
  const inputType = ({ resource, action }: Step) => requests.route(resource, action)?.fields.at(-1)?.input;
  return [
    rest(new RestRequests(document, translators.inputs, inputType)),
    {
      name: 'GraphQL',
      request: (step) => {
        const route = requests.route(step.resource, step.action);
        return route && requests.request(step, route);
      },
      outcome: (step, reply) => {
        const path = requests.route(step.resource, step.action)!.fields.map(({ name }) => name);
        return graphqlOutcome(step, path, reply);
      },
      isThroughParent: ({ resource, action }) => (requests.route(resource, action)?.fields.length ?? 0) > 1,
    },
  ];
}

const rest = (requests: RestRequests): Protocol => ({
  name: 'REST',
  request: (step) => requests.request(step),
  outcome: (step, reply) => restOutcome(step, reply),
  isThroughParent: () => false,
});

/** Without GraphQL, null means nothing else. */
const AS_IT_IS = { rest: (_: string | undefined, value: unknown) => value };

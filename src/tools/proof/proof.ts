import { namedSchemas } from '../../compiler/model/schemas.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Schema } from '../../descriptor/document.ts';
import type { Id, ResourceDescriptor } from '../../descriptor/resource.ts';
import { createSchemaRegistry } from '../../runtime/schema/create-schema-registry.ts';
import type { SchemaRegistry } from '../../runtime/schema/schema-registry.ts';
import type { Caller } from '../harness/callers.ts';
import { graphqlOutcome } from '../harness/graphql-outcome.ts';
import { GraphqlRequests, type Route } from '../harness/graphql-requests.ts';
import { Inputs } from '../harness/inputs.ts';
import { injected, type WireRequest } from '../harness/request.ts';
import { RestRequests, restOutcome } from '../harness/rest-requests.ts';
import { Rows, type StoredRecord } from '../harness/rows.ts';
import { type Defect, type ServerPair, START } from '../harness/server-pair.ts';
import type { Outcome, Step } from '../harness/step.ts';
import { Random } from '../synthetic/random.ts';
import { type Callers, callersInTurn, callersOf } from './callers.ts';
import { Comparer } from './compare.ts';
import { EventOracle } from './event-oracle.ts';
import { EventProof } from './event-proof.ts';
import { FieldOracle } from './field-oracle.ts';
import { hiddenReference } from './hidden-reference.ts';
import { firstFound, type Judgement } from './judgement.ts';
import { Naming } from './naming.ts';
import { PairRows } from './pair-rows.ts';
import { ParityRecord } from './record.ts';
import { RuleOracle } from './rule-oracle.ts';
import { RuleValues } from './rule-values.ts';

export interface ProofOptions {
  readonly contract: CompiledContract;
  readonly servers: ServerPair;
  readonly seed: number;
  /** The most of each list of cases. */
  readonly samples: number;
  readonly defect?: Defect | undefined;
  /** The operations that handlers answer in their own ways. */
  readonly overridden?: ReadonlySet<string>;
}

export interface ExchangeOptions {
  /** The step as GraphQL runs it. */
  readonly step: Step;
  readonly route: Route;
  readonly rest: WireRequest;
  /** The step as REST runs it, where it addresses another resource than GraphQL's. */
  readonly restStep?: Step;
  /** The name in the report; the action if left out. */
  readonly name?: string;
  /** REST answers without content, for which GraphQL answers true. */
  readonly isEmpty?: boolean;
}

/** A pair of servers, the requests for both protocols, and a record of every step. */
export class Proof {
  readonly contract: CompiledContract;
  readonly servers: ServerPair;
  readonly random: Random;
  readonly rows: Rows;
  readonly inputs: Inputs;
  readonly rest: RestRequests;
  readonly graphql: GraphqlRequests;
  readonly comparer: Comparer;
  readonly events: EventProof;
  readonly oracle: EventOracle;
  readonly naming: Naming;
  readonly record = new ParityRecord();
  readonly #samples: number;
  readonly #seed: number;
  readonly #ruleValues: RuleValues;
  readonly #rules: RuleOracle;
  readonly fields: FieldOracle;
  #callers: Callers;
  readonly #isDefective: boolean;
  readonly #schemas: SchemaRegistry;
  readonly #pairRows: PairRows;

  constructor({ contract, servers, seed, samples, defect, overridden = new Set() }: ProofOptions) {
    this.contract = contract;
    this.#samples = samples;
    this.#isDefective = defect !== undefined;
    this.#schemas = createSchemaRegistry(contract.document);
    this.servers = servers;
    this.#pairRows = new PairRows(servers, contract.resources);
    this.#seed = seed;
    this.#ruleValues = new RuleValues(contract, (schema, value) => this.accepts(schema, value));
    this.#callers = this.#madeCallers();
    this.random = new Random(seed);
    this.rows = new Rows(contract.resources, this.random);
    this.naming = new Naming(this.rows);
    this.#rules = new RuleOracle(this.naming, overridden);
    this.fields = new FieldOracle(this.naming, overridden);
    this.inputs = new Inputs(contract.document, this.random, this.rows, this.#ruleValues.preferred);
    this.graphql = new GraphqlRequests(contract.graphql!);
    this.rest = new RestRequests(contract);
    this.comparer = new Comparer(this.graphql);
    this.events = new EventProof(servers, this.graphql, defect);
    const { rest, rows, naming, events, graphql: requests } = this;
    this.oracle = new EventOracle({ server: servers.rest, requests, rest, rows, naming, events });
  }

  get callers(): Callers {
    return this.#callers;
  }

  #madeCallers(): Callers {
    const all = callersOf(this.contract, START, this.#ruleValues.claimsOf);
    return callersInTurn(all, this.#seed, this.#samples);
  }

  /** Gives the callers the ids of rows where rules compare claims with them; to be called when there are rows. */
  renewClaims(): void {
    if (!this.#ruleValues.hasIds) return;
    this.#ruleValues.useIdsOf(this.rows);
    this.#callers = this.#madeCallers();
  }

  /** The request of a step over REST, whose input means what it means over GraphQL. */
  restRequest(step: Step): WireRequest {
    const type = this.graphql.route(step.resource, step.action)?.fields.at(-1)?.input;
    return this.rest.request({ ...step, input: this.graphql.restInput(step, type) });
  }

  /** As many of the cases as are asked for, this many at most. */
  some<T>(cases: readonly T[], most = Number.POSITIVE_INFINITY): readonly T[] {
    return this.random.sample(cases, Math.min(this.#samples, most));
  }

  /** The schemas of a list's query parameters, by name. */
  queryParametersOf({ actions }: ResourceDescriptor): ReadonlyMap<string, unknown> {
    const parameters = actions.list ? this.rest.operation(actions.list.operationId).parameters : [];
    return new Map(parameters.flatMap(({ in: place, name, schema }) => (place === 'query' ? [[name, schema]] : [])));
  }

  /** A row of each of the two who own rows. */
  *heldRows(resource: ResourceDescriptor): Generator<{ readonly holder: Caller; readonly row: StoredRecord }> {
    for (const holder of [this.callers.owner, this.callers.other]) {
      const row = this.rows.pick(resource, holder.subject);
      if (row) yield { holder, row };
    }
  }

  get resources(): readonly ResourceDescriptor[] {
    return this.contract.resources;
  }

  /** Runs a step over REST on one server and over GraphQL on the other. Returns REST's outcome. */
  async run(step: Step): Promise<Outcome> {
    const route = this.graphql.route(step.resource, step.action);
    if (!route) return this.#missing(step);
    return this.exchange({ step, route, rest: this.restRequest(step) });
  }

  /** Compares a REST request with a GraphQL field on any route. Returns REST's outcome. */
  async exchange(options: ExchangeOptions): Promise<Outcome> {
    const { route, rest, name = options.step.action, isEmpty = false } = options;
    const step = this.#judged(options.step);
    const { restStep = step } = options;
    this.servers.advance();
    const id = this.naming.row(restStep.resource, restStep.params, restStep.caller)?.['id'] as Id | undefined;
    const judgements = await this.#foresee(step, restStep, options.name === undefined);
    const graphql = this.graphql.request(step, route);
    const reply = { rest: await this.servers.rest.send(rest), graphql: await this.servers.graphql.send(graphql) };
    const outcome: Outcome =
      isEmpty && reply.rest.status === 204 ? { kind: 'data', value: true } : restOutcome(restStep, reply.rest, id);
    const answered = graphqlOutcome(step, route, reply.graphql);
    // GraphQL reaches some lists through their parents, and answers for a hidden one before it asks for the access of the
    // list,
    // or reads its arguments.
    const isHidden = route.fields.length > 1 && isNotFound(answered) && this.#rules.hidesParent(step);
    const isRefused = outcome.kind === 'error' && [400, 401, 403].includes(outcome.status);
    // Behind a reference, a row is asked for by its id alone; REST names what it belongs to where that is hidden.
    const isBehind = options.name !== undefined && step.action === 'get' && step.resource.parent && isNotFound(outcome);
    const isUnseen = (isHidden && isRefused) || (isBehind && isNotFound(answered));
    const difference = isUnseen ? undefined : this.comparer.difference(step, route, outcome, answered);
    const effects = (await this.sideEffects()) ?? (await firstFound(judgements, outcome));
    this.record.add(
      {
        resource: step.resource.key,
        action: name,
        caller: step.caller.name,
        label: step.label,
        rest: { request: rest, reply: reply.rest },
        graphql: { request: graphql, reply: reply.graphql },
        difference: difference ?? effects,
      },
      outcome.kind === 'error' ? outcome.code : outcome.kind,
    );
    return outcome;
  }

  /** What the oracles foresee; other nested lists than those through resources are judged where they are asked for alone. */
  async #foresee(step: Step, restStep: Step, isAlone: boolean): Promise<readonly (Judgement | undefined)[]> {
    const row = this.naming.row(restStep.resource, restStep.params, restStep.caller);
    const hidden = hiddenReference(restStep, row, this.rows);
    const events = await this.oracle.before(step);
    return [
      isAlone || restStep.through !== undefined ? this.#rules.before(restStep) : undefined,
      isAlone ? this.fields.before(restStep) : undefined,
      ({ kind }) => (kind === 'data' ? hidden : undefined),
      events,
    ];
  }

  /** A step whose input turns out to break its schema is faulty: schemas may say more than values are made by. */
  #judged(step: Step): Step {
    if (step.isFaulty || step.input === undefined) return step;
    const { schemas } = step.resource;
    const name = step.action === 'update' ? schemas.patch : schemas.input;
    const schema = name === undefined ? undefined : namedSchemas(this.contract.document)[name];
    return schema === undefined || this.accepts(schema, step.input) ? step : { ...step, isFaulty: true };
  }

  /** Whether a value is as its schema demands of callers. */
  accepts(schema: Schema, value: unknown): boolean {
    return this.#schemas.input(schema)(structuredClone(value)) === undefined;
  }

  #missing({ resource, action }: Step): Outcome {
    const reason = `${resource.key} ${action}: GraphQL has no such field`;
    this.record.skip(reason);
    return { kind: 'malformed', text: reason };
  }

  /** Runs a step over REST on both servers, to set up what other steps need. */
  async prepare(step: Step): Promise<Outcome> {
    this.servers.advance();
    const request = this.restRequest(step);
    const reply = await this.servers.rest.send(request);
    await injected(this.servers.graphql.app, request);
    const difference = await this.sideEffects();
    if (difference !== undefined && !this.#isDefective)
      throw new Error(`preparing ${step.resource.key} ${step.action}: ${difference}`);
    return restOutcome(step, reply);
  }

  /** How stores or events differ after a step. Differing rows are repaired, so that they are reported only once. */
  async sideEffects(): Promise<string | undefined> {
    const { rows, difference } = await this.#pairRows.compare();
    this.rows.update(rows);
    const events = await this.events.difference();
    return difference ?? events;
  }
}

const isNotFound = (outcome: Outcome): boolean => outcome.kind === 'error' && outcome.code === 'NOT_FOUND';

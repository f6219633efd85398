import { schemaNamed } from '../../compiler/model/index.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { Schema } from '../../descriptor/document.ts';
import type { Action, Id, ResourceDescriptor } from '../../descriptor/resource.ts';
import { createSchemaRegistry, type SchemaRegistry } from '../../runtime/schema/index.ts';
import { Random } from '../../tools/random.ts';
import type { Caller } from '../harness/callers.ts';
import type { GraphqlRequests } from '../harness/graphql-requests.ts';
import { Inputs, type Referable } from '../harness/inputs.ts';
import type { ComparedCall, Protocols, Requests } from '../harness/protocols.ts';
import { curlOf, injected, type WireRequest } from '../harness/request.ts';
import { type RestRequests, restOutcome } from '../harness/rest-requests.ts';
import { Rows, type StoredRecord } from '../harness/rows.ts';
import { type Servers, START } from '../harness/servers.ts';
import { type Outcome, operationOf, type Step } from '../harness/step.ts';
import type { ToolRequests } from '../harness/tool-requests.ts';
import { type Callers, callersInTurn, callersOf } from './callers.ts';
import { difference } from './compare.ts';
import { EventOracle } from './event-oracle.ts';
import { EventProof } from './event-proof.ts';
import { FieldOracle } from './field-oracle.ts';
import { hiddenReference } from './hidden-reference.ts';
import { firstFound, type Judgement } from './judgement.ts';
import { Reach } from './reach.ts';
import { type Answer, formatDifference, ParityRecord } from './record.ts';
import { RuleOracle } from './rule-oracle.ts';
import { RuleValues } from './rule-values.ts';
import { ServerRows } from './server-rows.ts';

export interface ProofOptions {
  readonly contract: CompiledContract;
  readonly protocols: Protocols;
  readonly requests: Requests;
  /** One of each protocol. */
  readonly servers: Servers;
  readonly seed: number;
  /** The most of each list of cases. */
  readonly samples: number;
  /** The operations that handlers answer in their own ways. */
  readonly overridden?: ReadonlySet<string>;
  /** Mapped resources have the tables and rows of a database of others. */
  readonly hasTables?: boolean;
}

export interface ExchangeOptions {
  readonly step: Step;
  /** How the step is asked for over other protocols than REST; one that has no such call does what REST does. */
  readonly calls: readonly ComparedCall[];
  readonly rest: WireRequest;
  /** The step as REST runs it, where it addresses another resource than the others. */
  readonly restStep?: Step;
  /** The name in the report; the action if left out. */
  readonly name?: string;
  /** REST answers without content, for which others answer true. */
  readonly isEmpty?: boolean;
  /** Of REST, where the step is of no resource. */
  readonly operationId?: string;
}

/** The servers, the requests for each protocol, and a record of every step. */
export class Proof {
  readonly contract: CompiledContract;
  readonly servers: Servers;
  readonly random: Random;
  readonly rows: Rows;
  readonly inputs: Inputs;
  readonly rest: RestRequests;
  /** Undefined: the contract has no GraphQL schema. */
  readonly graphql: GraphqlRequests | undefined;
  /** Undefined: agents are offered nothing. */
  readonly tools: ToolRequests | undefined;
  /** Whether another protocol than REST has an action. */
  readonly compares: (resource: ResourceDescriptor, action: Action) => boolean;
  readonly events: EventProof;
  readonly oracle: EventOracle;
  readonly reach: Reach;
  readonly record = new ParityRecord();
  readonly hasTables: boolean;
  readonly #samples: number;
  readonly #seed: number;
  readonly #ruleValues: RuleValues;
  readonly #rules: RuleOracle;
  readonly fields: FieldOracle;
  #callers: Callers;
  readonly #schemas: SchemaRegistry;
  readonly #serverRows: ServerRows;
  readonly #protocols: Protocols;

  constructor(options: ProofOptions) {
    const {
      contract,
      protocols,
      requests,
      servers,
      seed,
      samples,
      overridden = new Set(),
      hasTables = false,
    } = options;
    this.hasTables = hasTables;
    this.contract = contract;
    this.#protocols = protocols;
    const { rest, graphql, tools } = requests;
    this.rest = rest;
    this.graphql = graphql;
    this.tools = tools;
    this.compares = (resource, action) => {
      const operationId = resource.actions[action]?.operationId;
      return (
        graphql?.route(resource, action) !== undefined ||
        (operationId !== undefined && tools?.of(operationId) !== undefined)
      );
    };
    this.#samples = samples;
    this.#schemas = createSchemaRegistry(contract.document);
    this.servers = servers;
    this.#serverRows = new ServerRows(servers, contract.resources);
    this.#seed = seed;
    this.#ruleValues = new RuleValues(contract, (schema, value) => this.accepts(schema, value));
    this.#callers = this.#madeCallers();
    this.random = new Random(seed);
    this.rows = new Rows(contract.resources, this.random);
    this.reach = new Reach(this.rows);
    this.#rules = new RuleOracle(this.reach, overridden);
    this.fields = new FieldOracle(this.reach, overridden);
    const referable: Referable = {
      anyRow: (resource) => {
        const rows = hasTables && resource.mapped ? this.rows.of(resource) : [];
        return rows.length > 0 ? this.random.pick(rows) : undefined;
      },
      anyId: (key, caller) =>
        this.rows.idOfSome(
          key,
          (row) => !caller || this.reach.model.reads(this.rows.resource(key), row, caller) !== false,
        ),
    };
    this.inputs = new Inputs(contract.document, this.random, referable, this.#ruleValues.preferred);
    this.events = new EventProof(servers, graphql);
    const { rows, reach, events } = this;
    this.oracle = new EventOracle({ server: servers.first, requests: graphql, rest, rows, reach, events });
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
      const row = this.pick(resource, holder);
      if (row) yield { holder, row };
    }
  }

  /** A random row that belongs to a caller, of its tenant if there is one. */
  pick(resource: ResourceDescriptor, caller: Caller): StoredRecord | undefined {
    return this.rows.pick(resource, caller.subject, (row) => this.reach.model.isWithin(resource, row, caller));
  }

  get resources(): readonly ResourceDescriptor[] {
    return this.contract.resources;
  }

  /** Runs a step over each protocol, each on its own server. Returns REST's outcome. */
  async run(step: Step): Promise<Outcome> {
    const [rest, ...others] = this.#protocols;
    const calls = others.flatMap(({ call }) => call(step) ?? []);
    for (const { name } of others)
      if (!calls.some(({ protocol }) => protocol === name))
        this.record.skip(`${step.resource.key} ${step.action}: ${name} does not have it`);
    if (calls.length === 0) return { kind: 'malformed', text: 'no protocol but REST has the action' };
    return this.exchange({ step, calls, rest: rest.call(step).request });
  }

  /** Compares a REST request with calls over other protocols. Returns REST's outcome. */
  async exchange(options: ExchangeOptions): Promise<Outcome> {
    const { calls, rest, name = options.step.action, isEmpty = false } = options;
    const step = this.#judged(options.step);
    const { restStep = step } = options;
    const { first, others } = this.servers;
    this.servers.advance();
    const id = this.reach.row(restStep.resource, restStep.params, restStep.caller)?.['id'] as Id | undefined;
    const judgements = await this.#foresee(step, restStep, options.name === undefined);
    const reply = await first.send(rest);
    const outcome: Outcome =
      isEmpty && reply.status === 204 ? { kind: 'data', value: true } : restOutcome(restStep, reply, id);
    const answers: Answer[] = [{ protocol: first.name, request: rest, reply }];
    let differing: string | undefined;
    for (const { name: protocol, app, send } of others) {
      const call = calls.find((one) => one.protocol === protocol);
      if (!call) {
        await injected(app, rest);
        continue;
      }
      const { request } = call;
      const other = await send(request);
      answers.push({ protocol, request, reply: other });
      const answered = call.outcome(other);
      if (!this.#isUnseen(step, call, options.name !== undefined, outcome, answered))
        differing ??= difference(step, call, outcome, answered);
    }
    const effects = (await this.sideEffects()) ?? (await firstFound(judgements, outcome));
    this.record.successes.add(options.operationId ?? operationOf(restStep), outcome);
    this.record.add(
      {
        resource: step.resource.key,
        action: name,
        caller: step.caller.name,
        label: step.label,
        answers,
        difference: differing ?? effects,
      },
      outcome,
    );
    return outcome;
  }

  /** Whether a row is hidden for two reasons, of which the protocols may report either. */
  #isUnseen(step: Step, { isThroughParent }: ComparedCall, isBelow: boolean, rest: Outcome, other: Outcome): boolean {
    if (!isNotFound(other)) return false;
    // Some lists are reached through their parents, which answer for a hidden one before the access of the list is asked
    // for, or its arguments are read.
    const isRefused = rest.kind === 'error' && [400, 401, 403].includes(rest.status);
    if (isThroughParent && isRefused && this.#rules.hidesParent(step)) return true;
    // Behind a reference, a row is asked for by its id alone; REST names what it belongs to where that is hidden.
    return isBelow && step.action === 'get' && step.resource.parent !== undefined && isNotFound(rest);
  }

  /** What the oracles foresee; other nested lists than those through resources are judged where they are asked for alone. */
  async #foresee(step: Step, restStep: Step, isAlone: boolean): Promise<readonly (Judgement | undefined)[]> {
    const row = this.reach.row(restStep.resource, restStep.params, restStep.caller);
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
    const schema = name === undefined ? undefined : schemaNamed(this.contract.document, name);
    return schema === undefined || this.accepts(schema, step.input) ? step : { ...step, isFaulty: true };
  }

  /** Whether a value is as its schema demands of callers. */
  accepts(schema: Schema, value: unknown): boolean {
    return this.#schemas.input(schema)(structuredClone(value)) === undefined;
  }

  /** Runs a step over REST on all servers, to set up what other steps need. */
  async prepare(step: Step): Promise<Outcome> {
    const { first, others } = this.servers;
    this.servers.advance();
    const { request } = this.#protocols[0].call(step);
    const reply = await first.send(request);
    for (const { app } of others) await injected(app, request);
    const effects = await this.sideEffects();
    if (effects !== undefined && others.every(({ defect }) => !defect))
      throw new Error(
        [
          `preparing ${step.resource.key} ${step.action}: ${effects}\n  ${curlOf(request)}`,
          ...this.record.differences.map(formatDifference),
        ].join('\n\n'),
      );
    const outcome = restOutcome(step, reply);
    this.record.successes.add(operationOf(step), outcome);
    return outcome;
  }

  /** How stores or events differ after a step. Differing rows are repaired, so that they are reported only once. */
  async sideEffects(): Promise<string | undefined> {
    const { rows, difference: differing } = await this.#serverRows.compare();
    this.rows.update(rows);
    const events = await this.events.difference();
    return differing ?? events;
  }
}

const isNotFound = (outcome: Outcome): boolean => outcome.kind === 'error' && outcome.code === 'NOT_FOUND';

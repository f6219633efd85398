import { type GraphQLField, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import {
  type BatchDescriptor,
  type BatchKind,
  batchesOf,
  type Id,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import type { Caller } from '../harness/callers.ts';
import { graphqlOutcome } from '../harness/graphql-outcome.ts';
import { type GraphqlRequests, graphqlRequest, pathArguments, type Route } from '../harness/graphql-requests.ts';
import { missingId } from '../harness/ids.ts';
import { type ComparedCall, toolCall } from '../harness/protocols.ts';
import type { WireReply } from '../harness/request.ts';
import { type Outcome, type Step, withoutRows } from '../harness/step.ts';
import { parentOf } from './population.ts';
import type { Proof } from './proof.ts';

type Values = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, Values>>;

/** Batches of each mode for each caller, at most. */
const BATCHES = 3;
const MOST_ITEMS = 4;
const MODES = ['ATOMIC', 'EACH'] as const;

/** Compares random batches of a resource over the protocols, and the rows that they leave. */
export async function proveBatches(proof: Proof, resource: ResourceDescriptor): Promise<void> {
  const { owner, unrestricted, all } = proof.callers;
  for (const batch of batchesOf(resource)) {
    const params = parentOf(proof, resource, owner);
    if (!params) continue;
    const cases = new BatchCases(proof, resource, batch, params);
    for (const caller of all) await cases.run(caller, 'a new row', 'ATOMIC', cases.items(caller, ['create'], 1));
    for (const caller of [owner, unrestricted])
      for (const mode of MODES)
        for (let i = 0; i < BATCHES; i += 1) {
          const count = 1 + proof.random.integer(0, Math.min(MOST_ITEMS, batch.maxItems) - 1);
          await cases.run(caller, `${count} items`, mode, cases.items(caller, batch.kinds, count));
        }
    for (const mode of MODES)
      for (const [label, items] of cases.faults()) await cases.run(unrestricted, label, mode, items, true);
  }
}

interface FoundField {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly params: Readonly<Record<string, string>>;
  readonly graphql: GraphqlRequests;
  /** The member of a result that has the row. */
  readonly row: GraphQLField<unknown, unknown>;
}

class BatchCases {
  readonly #proof: Proof;
  readonly #resource: ResourceDescriptor;
  readonly #batch: BatchDescriptor;
  readonly #params: Step['params'];
  readonly #field: FoundField | undefined;

  constructor(proof: Proof, resource: ResourceDescriptor, batch: BatchDescriptor, params: Step['params']) {
    this.#proof = proof;
    this.#resource = resource;
    this.#batch = batch;
    this.#params = params;
    this.#field = fieldOf(proof, batch);
  }

  /** Random items, of which some fail. */
  items(caller: Caller, kinds: readonly BatchKind[], count: number): readonly Item[] {
    const { random } = this.#proof;
    const known = kinds.filter((kind) => this.#batch.kinds.includes(kind));
    return known.length === 0 ? [] : Array.from({ length: count }, () => this.#item(caller, random.pick(known)));
  }

  #item(caller: Caller, kind: BatchKind): Item {
    const { inputs, random } = this.#proof;
    const resource = this.#resource;
    const row = random.chance(0.7) ? this.#proof.pick(resource, caller) : undefined;
    const id = (row?.['id'] as Id | undefined) ?? missingId(this.#proof, resource);
    switch (kind) {
      case 'create':
        return { create: { input: inputs.whole(resource, caller) } };
      case 'update':
        return { update: { id, input: inputs.patch(resource, caller) } };
      case 'replace':
        return { replace: { id, input: inputs.whole(resource, caller) } };
      case 'delete':
        return { delete: { id: missingId(this.#proof, resource) } };
      case 'upsert': {
        const create = inputs.whole(resource, caller);
        const names = resource.unique.find((key) => key.every((name) => create[name] != null));
        if (!names) return { create: { input: create } };
        return { upsert: { key: Object.fromEntries(names.map((name) => [name, create[name]])), create } };
      }
    }
  }

  /** Bodies that are refused as a whole. */
  faults(): readonly (readonly [string, readonly Item[]])[] {
    const { kinds } = this.#batch;
    const bare = { update: { input: {} }, delete: {} };
    const kind = (['update', 'delete'] as const).find((one) => kinds.includes(one));
    const unnamed: readonly Item[] = kind === undefined ? [] : [{ [kind]: bare[kind] }];
    return [['no items', []], ...(unnamed.length > 0 ? [['a row without a name', unnamed] as const] : [])];
  }

  async run(
    caller: Caller,
    label: string,
    mode: (typeof MODES)[number],
    items: readonly Item[],
    isFaulty = false,
  ): Promise<void> {
    if (items.length === 0 && !isFaulty) return;
    const { rest, tools } = this.#proof;
    const { operationId } = this.#batch;
    const input = { mode, items };
    const params = this.#params;
    const request = rest.to(rest.operation(operationId), { params, body: input }, caller);
    const resource = withoutRows(this.#resource);
    const step: Step = { resource, action: 'create', caller, label: `${mode}: ${label}`, params, input, isFaulty };
    const calls: ComparedCall[] = this.#field ? [this.#call(this.#field, step, mode, items)] : [];
    const tool = tools?.of(operationId, caller);
    if (tools && tool) {
      const call = toolCall(step, tool, tools.customRequest(tool, { parameters: params }, input, caller));
      calls.push({ ...call, outcome: (reply) => mapped(call.outcome(reply), toolResults), expected: toolResults });
    }
    await this.#proof.exchange({ step, calls, rest: request, name: 'batch', operationId });
  }

  #call(found: FoundField, step: Step, mode: string, items: readonly Item[]): ComparedCall {
    const { name, field, params, graphql, row } = found;
    const { selection } = graphql.translators;
    const above = pathArguments(field, params, step.params);
    const values: Values = { ...above, mode, items: items.map((item) => this.#inGraphql(found, item)) };
    const given = field.args.filter((one) => one.name in values);
    const declared = given.map((one) => `$${one.name}: ${String(one.type)}`).join(', ');
    const passed = given.map((one) => `${one.name}: $${one.name}`).join(', ');
    const results = `results { status id ${row.name} ${selection.of(row.type)} }`;
    const text = `mutation(${declared}) { ${name}(${passed}) { ${results} } }`;
    const route: Route = {
      operation: 'mutation',
      fields: [{ name, field, params, input: undefined, takesQuery: false }],
    };
    const project = ({ status, data, error }: Values): unknown =>
      error === undefined
        ? {
            status,
            [row.name]: data === undefined ? null : selection.project(row.type, data),
          }
        : (error as Values)['code'];
    return {
      protocol: 'GraphQL',
      subject: name,
      request: graphqlRequest(text, values, step.caller.authorization),
      isThroughParent: false,
      outcome: (reply) =>
        outcomeOf(reply, name) ?? graphqlOutcome({ action: 'create', resource: step.resource }, route, reply),
      expected: (value) => ((value as Values)['data'] as readonly Values[]).map(project),
      argument: ({ pointer = '', parameter }) =>
        Object.keys(params).find((one) => params[one] === parameter) ?? this.#argument(found, pointer, items),
    };
  }

  /** The input type of a member of an item. */
  #typeOf({ field }: FoundField, kind: string, member: string): string | undefined {
    const item = field.args.find((one) => one.name === 'items');
    const type = item && getNamedType(item.type);
    const part = isInputObjectType(type) ? getNamedType(type.getFields()[kind]?.type ?? type) : undefined;
    const found = isInputObjectType(part) ? part.getFields()[member] : undefined;
    const named = found && getNamedType(found.type);
    return isInputObjectType(named) ? named.name : undefined;
  }

  #inGraphql(found: FoundField, item: Item): unknown {
    const { inputs } = found.graphql.translators;
    return Object.fromEntries(
      Object.entries(item).map(([kind, part]) => [
        kind,
        Object.fromEntries(
          Object.entries(part).map(([member, value]) => {
            const type = this.#typeOf(found, kind, member);
            return [member, type === undefined ? String(value) : inputs.graphql(type, value)];
          }),
        ),
      ]),
    );
  }

  #argument(found: FoundField, pointer: string, items: readonly Item[]): string {
    const [list = '', at, kind, member, ...inside] = pointer.split('/').slice(1);
    const start = [list, at, kind, member].filter((part) => part !== undefined);
    if (kind === undefined || member === undefined) return start.join('.');
    const type = this.#typeOf(found, kind, member);
    const value = items[Number(at)]?.[kind]?.[member];
    return [
      ...start,
      ...(type === undefined ? inside : found.graphql.translators.inputs.path(type, value, inside)),
    ].join('.');
  }
}

const mapped = (outcome: Outcome, map: (value: unknown) => unknown): Outcome =>
  outcome.kind === 'data' ? { ...outcome, value: map(outcome.value) } : outcome;

/** The results without what tools lack, and of failures their codes and statuses. */
function toolResults(value: unknown): unknown {
  const { data } = value as { readonly data: readonly Values[] };
  return data.map(({ etag: _, error, ...result }) => (error ? { ...result, code: Object(error)['code'] } : result));
}

/** The results of an answer, with the code of each item that failed; undefined where it has none. */
function outcomeOf({ json }: WireReply, name: string): Outcome | undefined {
  const results = json?.data?.[name]?.results as readonly (Values | null)[] | undefined;
  if (!results) return undefined;
  const failed = new Map<unknown, unknown>(
    (json.errors ?? []).map(({ path, extensions }: { path: readonly unknown[]; extensions: Values }) => [
      path[2],
      extensions['code'],
    ]),
  );
  const shown = results.map((one, at) => {
    if (one === null) return failed.get(at);
    const { id: _, ...others } = one;
    return others;
  });
  return { kind: 'data', value: shown };
}

function fieldOf({ graphql }: Proof, { operationId }: BatchDescriptor): FoundField | undefined {
  if (!graphql) return undefined;
  for (const { name, field, own } of graphql.further('batch', operationId)) {
    const result = graphql.schema.getType(`${getNamedType(field.type).name}Result`);
    const members = isObjectType(result) ? Object.values(result.getFields()) : [];
    const row = members.find((one) => isObjectType(getNamedType(one.type)));
    if (row) return { name, field, params: own.params, graphql, row };
  }
  return undefined;
}

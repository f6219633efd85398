import { type LinkDescriptor, linksOf, namingProperty, type ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from '../harness/callers.ts';
import type { Route } from '../harness/graphql-requests.ts';
import { missingId } from '../harness/ids.ts';
import { graphqlCall, toolCall } from '../harness/protocols.ts';
import { type Step, withoutRows } from '../harness/step.ts';
import type { Proof } from './proof.ts';

type Params = Step['params'];

/** Pairs that are linked by each caller, at most. */
const PAIRS = 3;

/** Compares the links that rows of a resource are, of pairs that have none: each is made twice, and ended twice. */
export async function proveLinks(proof: Proof, join: ResourceDescriptor): Promise<void> {
  const links = linksOf(join);
  for (const link of links.filter((one, i) => links.findIndex(({ ends }) => pairOf(ends) === pairOf(one.ends)) === i)) {
    const same = links.filter(({ ends }) => pairOf(ends) === pairOf(link.ends));
    const make = same.find(({ kind }) => kind === 'link');
    const end = same.find(({ kind }) => kind === 'unlink');
    const pairs = [...pairsOf(proof, join, link)];
    for (const caller of proof.callers.all)
      for (const [label, params] of proof.some(pairs, PAIRS))
        for (const one of [make, make, end, end]) if (one) await compare(proof, join, one, caller, label, params);
  }
}

const pairOf = (ends: LinkDescriptor['ends']): string => ends.map(({ property }) => property).join();

/** The parameters of pairs of rows that no row joins, and of rows that are not there. */
function* pairsOf(
  proof: Proof,
  join: ResourceDescriptor,
  { ends: [from, to], parameter }: LinkDescriptor,
): Generator<readonly [label: string, params: Params]> {
  const [above, linked] = [proof.rows.resource(from.resource), proof.rows.resource(to.resource)];
  const key = namingProperty(linked);
  const missing = String(missingId(proof, linked, key));
  const joined = new Set(proof.rows.of(join).map((row) => `${row[from.property]} ${row[to.property]}`));
  for (const one of proof.rows.of(above)) {
    const params = proof.rows.paramsOf(above, one);
    yield ['a missing row', { ...params, [parameter]: missing }];
    for (const other of proof.rows.of(linked))
      if (!joined.has(`${one['id']} ${other['id']}`))
        yield ['a new pair', { ...params, [parameter]: String(other[key]) }];
  }
}

async function compare(
  proof: Proof,
  join: ResourceDescriptor,
  { kind, operationId }: LinkDescriptor,
  caller: Caller,
  label: string,
  params: Params,
): Promise<void> {
  const { graphql, tools, rest } = proof;
  const step: Step = { resource: withoutRows(join), action: 'get', caller, label, params, isFaulty: false };
  const [found] = graphql?.further(kind, operationId) ?? [];
  const tool = tools?.of(operationId, caller);
  const calls = [];
  if (graphql && found) {
    const { name, field, own } = found;
    const fields = [{ name, field, params: own.params, input: undefined, takesQuery: false }];
    calls.push(graphqlCall(graphql, step, { operation: 'mutation', fields } satisfies Route));
  }
  if (tools && tool) {
    const request = tools.customRequest(tool, { parameters: params }, undefined, caller);
    calls.push(toolCall(step, tool, request));
  }
  const request = rest.to(rest.operation(operationId), { params }, caller);
  await proof.exchange({ step, calls, rest: request, name: kind, isEmpty: true, operationId });
}

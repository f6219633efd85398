import { isUuid } from '../../descriptor/formats/formats.ts';
import { furtherPaths, type ResourceDescriptor, readKeys } from '../../descriptor/resource.ts';
import type { Caller } from '../harness/callers.ts';
import { graphqlCall } from '../harness/protocols.ts';
import type { Step } from '../harness/step.ts';
import { ListCases } from './list-cases.ts';
import { badParams } from './parameter-cases.ts';
import { parentOf } from './population.ts';
import type { Proof } from './proof.ts';

export async function proveGet(proof: Proof, resource: ResourceDescriptor): Promise<void> {
  const { owner, unrestricted, all } = proof.callers;
  const run = (caller: Caller, label: string, params: Step['params'], isFaulty = false) =>
    proof.run({ resource, action: 'get', caller, label, params, isFaulty });
  for (const caller of all) {
    for (const { holder, row } of proof.heldRows(resource))
      await run(caller, `${holder.name}'s`, proof.rows.paramsOf(resource, row));
  }
  const row = proof.pick(resource, owner);
  if (!row) return;
  const params = proof.rows.paramsOf(resource, row);
  for (const caller of proof.some([owner, unrestricted])) {
    for (const [label, bad] of badParams(proof, resource, params)) await run(caller, label, bad, true);
    // Other ids are other texts in upper case, and may be none at all.
    await run(caller, 'in upper case', upper(params), !Object.values(params).every(isUuid));
  }
  for (const one of proof.rows.of(resource).slice(0, 20))
    await run(unrestricted, 'each', proof.rows.paramsOf(resource, one));
  await proveLookups(proof, resource);
}

/** Reads by the other keys, as each caller: where REST has no path by one, GraphQL must answer as by that of the path. */
async function proveLookups(proof: Proof, resource: ResourceDescriptor): Promise<void> {
  const { owner, all } = proof.callers;
  const { graphql, tools } = proof;
  const route = graphql?.route(resource, 'get');
  const asked = route?.fields[0]?.params ?? {};
  for (const key of readKeys(resource).slice(1)) {
    const path = furtherPaths(resource).find(({ property }) => property === key);
    const hasPath = path !== undefined;
    if (asked[key] === undefined && !(path && tools?.of(path.operationId))) continue;
    for (const caller of all) {
      for (const { row } of proof.heldRows(resource)) {
        const params = { ...proof.rows.ancestorsOf(resource, row), [key]: String(row[key]) };
        const step: Step = { resource, action: 'get', caller, label: `by ${key}`, params, isFaulty: false };
        const restStep = { ...step, params: proof.rows.paramsOf(resource, row) };
        if (hasPath) await proof.run(step);
        // One of them may be an id, which a caller of all tenants finds where it finds no key.
        else if (graphql && route && !proof.reach.isAcross(resource, row, caller))
          await proof.exchange({
            step,
            calls: [graphqlCall(graphql, step, route)],
            rest: proof.rest.request(restStep),
            restStep,
          });
      }
    }
    const row = proof.pick(resource, owner);
    if (!row || !hasPath) continue;
    const params = { ...proof.rows.ancestorsOf(resource, row), [key]: String(row[key]) };
    for (const [label, bad] of badParams(proof, resource, params))
      await proof.run({ resource, action: 'get', caller: owner, label, params: bad, isFaulty: true });
  }
}

function upper(params: Step['params']): Step['params'] {
  return Object.fromEntries(Object.entries(params).map(([name, id]) => [name, id.toUpperCase()]));
}

export async function proveList(proof: Proof, resource: ResourceDescriptor): Promise<void> {
  const { owner, other, unrestricted, all } = proof.callers;
  const list = new ListCases(proof, resource);
  for (const caller of all) {
    for (const holder of resource.parent ? [owner, other] : [owner]) {
      const params = parentOf(proof, resource, holder);
      if (!params) continue;
      await list.run(caller, `${holder.name}'s`, params, {});
      if (list.hasCount) await list.run(caller, `${holder.name}'s, counted`, params, { count: true });
    }
  }
  const params = parentOf(proof, resource, owner);
  if (!params) return;
  for (const [label, bad] of badParams(proof, resource, params)) await list.run(unrestricted, label, bad, {}, true);
  for (const [label, query] of proof.some([...list.queries()]))
    await list.run(proof.random.pick([owner, unrestricted]), label, params, query);
  for (const [label, query] of list.combined().flatMap((cases) => proof.some(cases)))
    for (const caller of new Set([unrestricted, ...proof.random.sample(all, 2)]))
      await list.run(caller, label, params, query);
  for (const [label, query] of list.badQueries()) await list.run(unrestricted, label, params, query, true);
  for (const caller of proof.some([owner, unrestricted])) await list.follow(caller, params);
}

import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { resourceWithKey } from '../../descriptor/resource.ts';
import { Random } from '../../tools/random.ts';
import { tenantsOf } from '../../tools/token/index.ts';
import { Inputs } from '../harness/inputs.ts';
import type { Callers } from './callers.ts';
import { ContractClient, protocolsOf } from './contract-client.ts';
import { HttpRecorder } from './http-recorder.ts';
import { KnownRows } from './known-rows.ts';
import { callerFor, stepOf } from './move-context.ts';
import { make } from './row-moves.ts';
import { cleanUp } from './verify.ts';

const TRIES = 5;

export interface TenantRow {
  /** Undefined: no row can be read or made, or tenants are not rows. */
  readonly id: unknown;
  /** Deletes what has been made. */
  end(): Promise<void>;
}

/** A row of the resource whose rows tenants are, as some caller reads it, or else makes it with the rows that it must refer to. */
export async function tenantRow(
  contract: CompiledContract,
  callers: Callers,
  origin: string,
  send: typeof fetch = fetch,
): Promise<TenantRow> {
  const { resource: key } = tenantsOf(contract) ?? {};
  const knownRows = new KnownRows();
  const client = new ContractClient(protocolsOf(contract), new HttpRecorder(origin, send));
  const end = (): Promise<void> => cleanUp(client, knownRows);
  if (key === undefined) return { id: undefined, end };
  const resource = resourceWithKey(contract.resources, key);
  const random = new Random(1);
  const inputs = new Inputs(contract.document, new Random(Date.now()), knownRows.referable(random));
  const context = { client, knownRows, callers, inputs, random };
  if (resource.actions.list && !resource.parent) {
    const { outcome } = await client.rest(stepOf(resource, 'list', callerFor(context, resource, 'list')));
    const { data } = outcome.kind === 'data' ? (outcome.value as { readonly data: { readonly id: unknown }[] }) : {};
    if (data?.[0]) return { id: data[0].id, end };
  }
  for (let i = 0; i < TRIES && knownRows.of(resource).length === 0; i += 1) await make(context, resource);
  return { id: knownRows.of(resource)[0]?.values?.['id'], end };
}

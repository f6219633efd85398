import { namingProperty, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { missingId } from '../harness/ids.ts';
import { parentOf } from './population.ts';
import type { Proof } from './proof.ts';

/** Replaces what is not there, as each caller; where the contract says so, that creates it. */
export async function proveCreateByPut(proof: Proof, resource: ResourceDescriptor): Promise<void> {
  if (!resource.actions.replace?.creates) return;
  const { owner, all } = proof.callers;
  for (const caller of all) {
    const params = parentOf(proof, resource, owner);
    if (!params) return;
    const naming = namingProperty(resource);
    const name = missingId(proof, resource, naming);
    const whole = proof.inputs.whole(resource, caller);
    const input = naming in whole ? { ...whole, [naming]: name } : whole;
    const step = {
      resource,
      action: 'replace',
      caller,
      params: { ...params, [resource.idParameter]: String(name) },
    } as const;
    await proof.run({ ...step, label: 'a new id, at a version', input, isFaulty: false, ifVersion: 1 });
    for (const label of ['a new id, if absent', 'the same, if absent'])
      await proof.run({ ...step, label, input, isFaulty: false, ifAbsent: true });
    await proof.run({ ...step, label: 'the same again', input, isFaulty: false });
  }
}

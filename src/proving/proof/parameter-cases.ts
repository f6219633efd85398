import { namingProperty, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { missingId } from '../harness/ids.ts';
import { nameOf } from '../harness/rows.ts';
import type { Step } from '../harness/step.ts';
import type { Proof } from './proof.ts';

/** Each path parameter with ids that nothing has, that are malformed, or that belong to another resource or parent. */
export function* badParams(
  proof: Proof,
  resource: ResourceDescriptor,
  params: Step['params'],
): Generator<[string, Step['params']]> {
  const { rows, resources, random } = proof;
  const foreign = resources.find(({ key }) => key !== resource.key && rows.of(rows.resource(key)).length > 0);
  const anyId = (of: ResourceDescriptor): string => nameOf(of, random.pick(rows.of(of)));
  const targets = new Map([...parentsOf(rows, resource)].map(({ parameter, of }) => [parameter, of]));
  for (const [name, id] of Object.entries(params)) {
    const target = targets.get(name) ?? resource;
    const missing = missingId(proof, target, name === target.idParameter ? namingProperty(target) : name);
    yield [`${name}: of no row`, { ...params, [name]: String(missing) }];
    yield [`${name}: not an id`, { ...params, [name]: 'no-id' }];
    yield [`${name}: almost an id`, { ...params, [name]: `${id}0` }];
    if (foreign) yield [`${name}: of another resource`, { ...params, [name]: anyId(foreign) }];
  }
  for (const [parameter, of] of targets)
    if (rows.of(of).length > 0) yield [`${parameter}: of another parent`, { ...params, [parameter]: anyId(of) }];
}

function* parentsOf(rows: Proof['rows'], { parent }: ResourceDescriptor) {
  for (let above = parent; above; ) {
    const of = rows.resource(above.resource);
    yield { parameter: above.parameter, of };
    above = of.parent;
  }
}

import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Proof } from './proof.ts';
import type { Step } from './step.ts';

const MISSING_ID = '019bc0de-7c00-7000-8000-0000000000ff';

/** Each path parameter with ids that nothing has, that are malformed, or that belong to another resource or parent. */
export function* badParams(
  { rows, resources, random }: Proof,
  resource: ResourceDescriptor,
  params: Step['params'],
): Generator<[string, Step['params']]> {
  const foreign = resources.find(({ key }) => key !== resource.key && rows.of(rows.resource(key)).length > 0);
  const anyId = (of: ResourceDescriptor): string => random.pick(rows.of(of))['id'] as string;
  for (const [name, id] of Object.entries(params)) {
    yield [`${name}: of no row`, { ...params, [name]: MISSING_ID }];
    yield [`${name}: not an id`, { ...params, [name]: 'no-id' }];
    yield [`${name}: almost an id`, { ...params, [name]: `${id}0` }];
    if (foreign) yield [`${name}: of another resource`, { ...params, [name]: anyId(foreign) }];
  }
  for (const { parameter, of } of parentsOf(rows, resource))
    yield [`${parameter}: of another parent`, { ...params, [parameter]: anyId(of) }];
}

function* parentsOf(rows: Proof['rows'], { parent }: ResourceDescriptor) {
  for (let above = parent; above; ) {
    const of = rows.resource(above.resource);
    if (rows.of(of).length > 0) yield { parameter: above.parameter, of };
    above = of.parent;
  }
}

import type { ContractSide } from './contract-side.ts';
import type { Json } from './openapi-resource.ts';
import { wordsOf } from './words.ts';

/** A path parameter of a new path, of the type that it has on the paths of the resource whose id it is. */
export function pathParameter({ draft }: Pick<ContractSide, 'draft'>, name: string): Json {
  const known = draft.resources.find(({ idParameter }) => idParameter === name)?.operations.get;
  const declared = known?.parameters.find((one) => one.in === 'path' && one.name === name);
  return {
    name,
    in: 'path',
    required: true,
    description: `Id of the ${wordsOf(name.replace(/Id$/, ''))}.`,
    schema: declared?.schema ?? { type: 'string', format: 'uuid' },
  };
}

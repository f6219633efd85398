import { draftOf } from '../../compiler/graphql/convention/index.ts';
import { enumValues } from '../../compiler/json-schema/index.ts';
import type { OperationDraft } from '../../compiler/model/index.ts';
import {
  INCLUDE_PARAMETER,
  itemSchema,
  pagingParameter,
  parameterSchema,
} from '../../compiler/model/resources/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { OpenContract } from '../sync/open-contract.ts';
import { addListParameter } from '../sync/parameter-objects.ts';
import { type Addition, resourceNamed } from './addition.ts';

/** The addition of names to the parameter `include` of the list and the `get` of a resource. */
export const includeAddition =
  (collection: string, names: readonly string[]): Addition =>
  async (contract) => {
    const written = new Set<object>();
    for (const operation of readingsOf(contract, collection)) {
      const offered = offeredNames(contract, operation);
      if (!offered) await addListParameter(contract, operation, includeParameter(names));
      else if (!written.has(offered.node)) {
        const taken = names.find((name) => offered.values.includes(name));
        if (taken !== undefined) throw new ConfigError([`${operation.operationId} includes ${taken} already.`]);
        for (const name of names) await contract.writer.addName(contract.source.locate(offered.node), name, ['enum']);
        written.add(offered.node);
      }
    }
  };

/** The operations of a resource that may have `include`: its list and its `get`. Throws `ConfigError`. */
export function readingsOf({ side }: OpenContract, collection: string): readonly OperationDraft[] {
  const { list, get } = draftOf(side, resourceNamed(side, collection)).operations;
  return [...(list ? [list] : []), get];
}

/** The names that an operation offers, and the schema that has their enum. */
export function offeredNames(
  { source: { document } }: Pick<OpenContract, 'source'>,
  operation: OperationDraft,
): { readonly values: readonly string[]; readonly node: object } | undefined {
  const parameter = pagingParameter(operation, INCLUDE_PARAMETER);
  const items = parameter && itemSchema(document, parameterSchema(document, parameter));
  const node = items?.keywords.get('enum')?.node;
  return items && node && { values: enumValues(items) ?? [], node };
}

const includeParameter = (names: readonly string[]) => ({
  name: INCLUDE_PARAMETER,
  in: 'query',
  description: 'Related rows that the answer has as well.',
  style: 'form',
  explode: false,
  schema: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: names } },
});

import { isJson } from '../../../descriptor/content.ts';
import { batchesOf, operationsOf, type ResourceDescriptor, totalsOf } from '../../../descriptor/resource.ts';
import { operationWithId, type RestDescriptor } from '../../../descriptor/rest.ts';
import type { SchemaRegistry, Validate } from '../../schema/schema-registry.ts';
import { type CallChecks, checker } from './validated.ts';

/** The parameter that names related rows. */
export const INCLUDE = 'include';

/** Checks the query parameters of totals, and `include` of the operations that have it, by the operation. */
export function queryChecks(
  resource: ResourceDescriptor,
  { operations }: Pick<RestDescriptor, 'operations'>,
  schemas: SchemaRegistry,
): ReadonlyMap<string, CallChecks['query']> {
  const totals = new Set(totalsOf(resource).map(({ operationId }) => operationId));
  const own = new Set(operationsOf(resource).map(({ operationId }) => operationId));
  return new Map(
    operations.flatMap(({ operationId, parameters }) => {
      if (!own.has(operationId)) return [];
      const inQuery = parameters.filter((one) => one.in === 'query');
      const checked = totals.has(operationId)
        ? inQuery
        : inQuery.filter(({ name }) => resource.includes && name === INCLUDE);
      return checked.length > 0 ? [[operationId, checker(checked, schemas)] as const] : [];
    }),
  );
}

/** Validates the bodies of batches, by the operation. Defaults are those of the actions that items are. */
export const batchInputs = (
  resource: ResourceDescriptor,
  { operations }: Pick<RestDescriptor, 'operations'>,
  schemas: SchemaRegistry,
): ReadonlyMap<string, Validate> =>
  new Map(
    batchesOf(resource).map(({ operationId }) => {
      const { requestBody } = operationWithId(operations, operationId);
      const [, media] = Object.entries(requestBody?.content ?? {}).find(([type]) => isJson(type)) ?? [];
      return [operationId, schemas.input(media?.schema ?? true)];
    }),
  );

import { isJson } from '../../../descriptor/content.ts';
import { batchesOf, type ResourceDescriptor, totalsOf } from '../../../descriptor/resource.ts';
import { operationWithId, type RestDescriptor } from '../../../descriptor/rest.ts';
import type { SchemaRegistry, Validate } from '../../schema/schema-registry.ts';
import { type CallChecks, checker } from './validated.ts';

/** Checks the query parameters of totals, by the operation. */
export const totalsChecks = (
  resource: ResourceDescriptor,
  { operations }: Pick<RestDescriptor, 'operations'>,
  schemas: SchemaRegistry,
): ReadonlyMap<string, CallChecks['query']> =>
  new Map(
    totalsOf(resource).map(({ operationId }) => {
      const { parameters } = operationWithId(operations, operationId);
      const inQuery = parameters.filter((one) => one.in === 'query');
      return [operationId, checker(inQuery, schemas)];
    }),
  );

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

import { type ResourceDescriptor, totalsOf } from '../../../descriptor/resource.ts';
import { operationWithId, type RestDescriptor } from '../../../descriptor/rest.ts';
import type { SchemaRegistry } from '../../schema/schema-registry.ts';
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

import { type ResourceDescriptor, resourceWithKey } from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import type { ContractModel } from '../../model/model.ts';

/**
 * The lists through other resources, as resources below those that they belong to, with no action but `list`: the client
 * reads the labels of an issue by `issues.labels.list`, as it reads what belongs to it.
 */
export function throughResources({
  resources,
  operations,
}: Pick<ContractModel, 'resources' | 'operations'>): readonly ResourceDescriptor[] {
  return resources.flatMap((listed) =>
    (listed.throughs ?? []).map(({ operationId, access, name, below, to }): ResourceDescriptor => {
      const { keyProperty: _, lookups: __, throughs: ___, schemas, ...own } = listed;
      return {
        ...own,
        key: `${below}.${name}`,
        path: operationWithId(operations, operationId).path,
        idParameter: to,
        parent: parentOf(resourceWithKey(resources, below)),
        actions: { list: { operationId, access } },
        schemas: { resource: schemas.resource },
      };
    }),
  );
}

const parentOf = ({ key, idParameter }: ResourceDescriptor): NonNullable<ResourceDescriptor['parent']> => ({
  resource: key,
  parameter: idParameter,
  property: idParameter,
});

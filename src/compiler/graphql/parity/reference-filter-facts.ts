import { type GraphQLNamedType, getNamedType, isInputObjectType } from 'graphql';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { parameterSchema } from '../../model/resources/list-parameters.ts';
import { propertyText } from '../convention/schema-owner.ts';
import type { Parity } from './parity.ts';

/**
 * The parameters named for references, each property of which is a field of the input of that name. Where the list has the
 * parameter `filter`, too, its schema may offer more.
 */
export function referenceFacts(
  parity: Parity,
  resource: ResourceDescriptor,
  coordinate: string,
  operation: OperationDraft,
  filter: GraphQLNamedType | undefined,
): void {
  for (const name of resource.list?.referenceFilters ?? []) {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name)!;
    const { properties, nodes } = parameterSchema(parity.document, parameter);
    const found = isInputObjectType(filter) ? filter.getFields()[name] : undefined;
    const type = found && getNamedType(found.type);
    const fields = isInputObjectType(type) ? type.getFields() : {};
    const target = resource.relations?.[name]?.resource ?? name;
    const extra = resource.list?.filter === undefined ? Object.keys(fields) : [];
    for (const own of new Set([...properties.keys(), ...extra])) {
      const site = properties.get(own);
      const place = site && { area: target, name: own, schemas: site.schemas };
      parity.add(
        resource.key,
        'filter',
        `${coordinate} ${name}[${own}]`,
        parity.rest(
          place && propertyText(parity, place, 'input', fields[own]?.type),
          site?.holder ?? nodes.at(-1)!,
          site && own,
        ),
        parity.graphql(
          fields[own] && String(fields[own].type),
          fields[own] ?? found ?? filter,
          `${filter?.name}.${name}`,
        ),
      );
    }
  }
}

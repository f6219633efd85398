import { namingProperty, type ResourceDescriptor, readKeys } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { type Contract, draftOf, isRestOnly } from './contract-side.ts';
import type { Member } from './definition.ts';
import { ancestorParameters, keyedParameters } from './names.ts';
import { typeText } from './type-text.ts';

/** The arguments that name the ancestors of a resource. */
export const ancestorArguments = (contract: Contract, resource: ResourceDescriptor): readonly Member[] =>
  ancestorParameters(resource).map((name) => ({ name, type: `${typeOf(contract, resource, name)}!` }));

/** The argument that names one: `id`, or the key of its path. */
export const ownArgument = (contract: Contract, resource: ResourceDescriptor): Member => ({
  name: namingProperty(resource),
  type: `${typeOf(contract, resource, resource.idParameter)}!`,
});

/**
 * The arguments of a `get`: one for each property that has a path, and that of any other key that the field has. Where
 * there are several, exactly one is given, so that none is required.
 */
export function getArguments(
  contract: Contract,
  resource: ResourceDescriptor,
  asked: readonly string[],
): readonly Member[] {
  const lookups = draftOf(contract, resource).lookups.filter(
    ({ property, operation }) => asked.includes(property) || !isRestOnly(operation.node),
  );
  const own = ownArgument(contract, resource);
  const [, ...others] = readKeys(resource);
  if (lookups.length === 0 && !others.some((key) => asked.includes(key))) return [own];
  return [
    { ...own, type: own.type!.replace(/!$/, '') },
    ...lookups.map(({ property, operation }) => ({
      name: property,
      type: typeOf(contract, resource, property, operation, true),
    })),
  ];
}

function typeOf(
  contract: Contract,
  resource: ResourceDescriptor,
  name: string,
  { parameters }: OperationDraft = draftOf(contract, resource).operations.get!,
  isKey = keyedParameters(resource, contract.resources).has(name),
): string {
  const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
  return isKey ? typeText(contract.document, [schema ?? true], 'input', undefined) : 'ID';
}

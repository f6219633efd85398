import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { namingProperty, type ResourceDescriptor, readKeys } from '../../../descriptor/resource.ts';
import type { OperationDraft, ResourceDraft } from '../../model/draft.ts';
import { ancestorParameters, keyedParameters } from '../fields/names.ts';
import { typeText } from './type-text.ts';

/** A resource on both sides, among all of its contract. */
export interface KeyedResource {
  readonly document: OpenApiDocument;
  readonly resources: readonly ResourceDescriptor[];
  readonly resource: ResourceDescriptor;
  readonly draft: ResourceDraft;
}

/** The arguments that name the ancestors of a resource, with their types. */
export function ancestorArguments(keyed: KeyedResource): Record<string, string> {
  const names = ancestorParameters(keyed.resource);
  return Object.fromEntries(names.map((name) => [name, `${typeOf(keyed, keyed.draft.operations.get, name)}!`]));
}

/** The argument that names one: `id`, or the key of its path. */
export function ownArgument(keyed: KeyedResource): Record<string, string> {
  const { resource, draft } = keyed;
  return { [namingProperty(resource)]: `${typeOf(keyed, draft.operations.get, resource.idParameter)}!` };
}

/**
 * The arguments of a `get`: one for each property that has a path, and that of any other key that the field has. Where
 * there are several, exactly one is given, so that none is required.
 */
export function getArguments(keyed: KeyedResource, asked: readonly string[]): Record<string, string> {
  const { resource, draft } = keyed;
  const lookups = draft.lookups.filter(({ property, operation }) => asked.includes(property) || !isRestOnly(operation));
  const others = Object.fromEntries(
    lookups.map(({ property, operation }) => [property, typeOf(keyed, operation, property, true)]),
  );
  const isOne =
    lookups.length === 0 &&
    !readKeys(resource)
      .slice(1)
      .some((key) => asked.includes(key));
  const own = ownArgument(keyed);
  if (isOne) return own;
  return {
    ...Object.fromEntries(Object.entries(own).map(([name, type]) => [name, type.replace(/!$/, '')])),
    ...others,
  };
}

const isRestOnly = ({ node }: OperationDraft): boolean =>
  (node as { readonly 'x-parity'?: { readonly graphql?: string } })['x-parity']?.graphql === 'absent';

function typeOf(
  { document, resources, resource }: KeyedResource,
  { parameters }: OperationDraft,
  name: string,
  isKey = keyedParameters(resource, resources).has(name),
): string {
  const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
  return isKey ? typeText(document, [schema ?? true], 'input', undefined) : 'ID';
}

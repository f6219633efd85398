import type { SampleRequest } from '../../../compiler/emit/index.ts';
import type { ArgumentSource, EventField, FieldDescriptor } from '../../../descriptor/graphql.ts';
import { namingProperty, type ResourceDescriptor, resourceWithKey } from '../../../descriptor/resource.ts';

/** Whether an argument narrows changes to those of one row. */
export const namesRow = (name: string, descriptor: FieldDescriptor | undefined): descriptor is EventField =>
  descriptor?.kind === 'updated' && descriptor.arguments[name] === 'id';

/** What an argument is to the REST operation; to that which reads what has changed, of an event. */
export function sourceOf(
  name: string,
  descriptor: FieldDescriptor | undefined,
  resources: readonly ResourceDescriptor[],
): ArgumentSource | undefined {
  if (descriptor?.kind === 'custom') {
    const source = descriptor.arguments?.[name];
    // REST has an entity tag there, and not the number.
    return source?.isVersion ? undefined : source;
  }
  if (namesRow(name, descriptor)) {
    const resource = resourceWithKey(resources, descriptor.resource);
    return namingProperty(resource) === 'id' ? { in: 'path', name: resource.idParameter } : undefined;
  }
  if (name === 'input') return { in: 'body' };
  if (descriptor?.kind === 'batch' && name === 'items') return { in: 'body', name };
  const parameter = descriptor && 'params' in descriptor ? descriptor.params[name] : undefined;
  return parameter === undefined ? undefined : { in: 'path', name: parameter };
}

/** The value that a request has there. */
export function givenBy(
  { in: place, name }: ArgumentSource,
  { inPath, inQuery, inHeader, body }: SampleRequest,
): unknown {
  if (place === 'body')
    return name === undefined ? body?.value : (body?.value as Record<string, unknown> | undefined)?.[name];
  const parameters = { path: inPath, query: inQuery, header: inHeader, cookie: [] }[place];
  return parameters.find((parameter) => parameter.name === name)?.given;
}

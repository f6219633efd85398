import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { JsonValue, OnDelete, PropertyDescriptor } from '../../../descriptor/resource.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import type { PropertyDraft, ResourceDraft } from '../draft.ts';
import { snakeCase } from '../naming.ts';
import { behindLists, itemsOf } from '../schemas.ts';
import { managedProperties } from './recognise.ts';
import { columnOf, isHash, mappedColumns } from './storage-names.ts';

/** The value of an extension on a property, wherever it occurs in its schema. */
export function extensionOf<T>(property: PropertyDraft, name: string): T | undefined {
  return property.flat.keywords.get(name)?.value as T | undefined;
}

export function originOf(resource: ResourceDraft, name: string): PropertyDescriptor['origin'] {
  if (name === 'id') return resource.input?.properties.has(name) ? 'input' : 'managed';
  if (managedProperties(resource.nameCase).includes(name)) return 'managed';
  if (resource.parent?.property === name) return 'parent';
  return resource.input?.properties.has(name) ? 'input' : 'server';
}

/** The value that a property has on creation when none is given. */
export function initialValue(resource: ResourceDraft, property: PropertyDraft): JsonValue | undefined {
  const states = enumValues(property.flat);
  if (extensionOf(property, 'x-transitions') !== undefined && states !== undefined) return states[0];
  const input = resource.input?.properties.get(property.name);
  const keyword = property.flat.keywords.get('default') ?? input?.flat.keywords.get('default');
  return keyword?.value as JsonValue | undefined;
}

/** The descriptor of a property; `resources` are by schema name. */
export function describeProperty(
  document: OpenApiDocument,
  resource: ResourceDraft,
  property: PropertyDraft,
  resources: ReadonlyMap<string, ResourceDraft>,
): PropertyDescriptor {
  const origin = originOf(resource, property.name);
  const initial = origin === 'managed' || origin === 'parent' ? undefined : initialValue(resource, property);
  const states = property.type === 'string' ? enumValues(property.flat) : undefined;
  const references = referenceOf(resource, property, resources);
  const transitions = transitionsOf(property, states);
  const discriminator = discriminatorOf(property);
  return {
    name: property.name,
    ...storageOf(document, resource, property),
    type: property.type,
    nullable: property.flat.nullable,
    required: property.required,
    origin,
    ...(initial !== undefined && { initial }),
    ...(states && { enum: states }),
    ...(isImmutable(property, origin) && { immutable: true }),
    ...(references && { references }),
    ...(transitions && { transitions }),
    ...(discriminator !== undefined && { discriminator }),
  };
}

/** Without the database of a mapped table, the resource has one of Lockstep, whose columns are named after properties. */
function storageOf(document: OpenApiDocument, { mapped }: ResourceDraft, property: PropertyDraft) {
  if (!mapped) return { column: columnOf(property) };
  const items = itemsOf(property.flat);
  const values = items === undefined ? undefined : enumValues(behindLists(document, [items]));
  return {
    column: snakeCase(property.name),
    ...(!isHash(property) && mappedColumns(property)),
    ...(values && { entryEnum: values }),
  };
}

/** An id that the caller chooses is chosen once. */
function isImmutable(property: PropertyDraft, origin: PropertyDescriptor['origin']): boolean {
  return extensionOf(property, 'x-immutable') === true || (property.name === 'id' && origin === 'input');
}

/** The property that distinguishes the variants of an object. */
function discriminatorOf({ type, flat }: PropertyDraft): string | undefined {
  const declared = flat.keywords.get('discriminator')?.value as { readonly propertyName?: string } | undefined;
  return type === 'json' ? declared?.propertyName : undefined;
}

/** A child refers to its parent implicitly, and is deleted with it by default. */
function referenceOf(
  resource: ResourceDraft,
  property: PropertyDraft,
  resources: ReadonlyMap<string, ResourceDraft>,
): PropertyDescriptor['references'] {
  const onDelete = extensionOf<OnDelete>(property, 'x-on-delete');
  const inverse = extensionOf<string>(property, 'x-inverse');
  const named = inverse !== undefined && { inverse };
  if (originOf(resource, property.name) === 'parent' && resource.parent?.resource !== undefined) {
    return { resource: resource.parent.resource.key, onDelete: onDelete ?? 'cascade', ...named };
  }
  const target = resources.get(extensionOf<string>(property, 'x-references') ?? '');
  const allowsHidden = extensionOf(property, 'x-reference-hidden') === 'allow' && { allowsHidden: true as const };
  return target && { resource: target.key, onDelete: onDelete ?? 'restrict', ...named, ...allowsHidden };
}

/** Every state is a key; a state that the contract does not list has no transitions. */
function transitionsOf(
  property: PropertyDraft,
  states: readonly string[] | undefined,
): PropertyDescriptor['transitions'] {
  const declared = extensionOf<Record<string, string[]>>(property, 'x-transitions');
  if (declared === undefined || states === undefined) return undefined;
  return Object.fromEntries(states.map((state) => [state, declared[state] ?? []]));
}

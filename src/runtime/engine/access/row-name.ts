import { type Id, namingProperty, type ResourceDescriptor, readKeys } from '../../../descriptor/resource.ts';
import { type MaybePromise, rejected, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Reader } from '../../storage/store.ts';
import type { PathParams } from '../interface/call.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource, RowName } from '../resource/resource.ts';
import { keyedRows, notFound } from './find.ts';

/** Reads which row path parameters name: by the parameter of its path, or else by that of another unique property. */
export function rowNamer(resource: ResourceDescriptor): (params: PathParams) => RowName {
  const naming = namingProperty(resource);
  const keys = readKeys(resource).map((name) => {
    const property = resource.properties.find((one) => one.name === name)!;
    return { property, parameter: name === naming ? resource.idParameter : name };
  });
  const own = keys[0]!;
  return (params) => {
    const isOwn = keys.length === 1 || params[own.parameter] !== undefined;
    const { property, parameter } = isOwn ? own : (keys.find((key) => params[key.parameter] !== undefined) ?? own);
    return { property: property.name, value: normalize(property, params[parameter]!) as Id };
  };
}

/**
 * The parameters with the id of each ancestor that they name, by the child's property that holds it. Only where the
 * parameter of an ancestor is not its id does that take a statement. Throws `NOT_FOUND`.
 */
export function withAncestorIds(
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
): MaybePromise<PathParams> {
  const { parent } = resource;
  if (!parent || !resource.hasKeyedAncestor) return params;
  return whenKnown(withAncestorIds(reader, parent, params, principal), (above) => {
    if (namingProperty(parent.descriptor) === 'id') return above;
    return whenKnown(idNamedBy(reader, parent, above, principal), (id) => ({
      ...above,
      [resource.descriptor.parent!.property]: id,
    }));
  });
}

/** The id of the row that the parameters name, in the caller's tenant, whoever may see it. Throws `NOT_FOUND`. */
export function idNamedBy(
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
): MaybePromise<Id> {
  const { property, value } = resource.nameOf(params);
  if (property === 'id') return value;
  return whenKnown(
    reader.get(resource.descriptor.key, value, keyedRows(resource, property, principal), property),
    (row) => (row ? (resource.valueIn(row, 'id') as Id) : rejected(notFound(resource))),
  );
}

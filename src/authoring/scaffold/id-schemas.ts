import { type ContractSide, draftOf } from '../../compiler/graphql/convention/index.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Json } from '../sync/openapi-resource.ts';
import { resourceNamed } from './addition.ts';
import type { Field } from './field.ts';
import type { IdKind } from './words/addition-kinds.ts';

/** The schema of each kind of id: the server makes UUIDs, the database counts integers, and callers send texts. */
export const ID_SCHEMAS: Readonly<Record<IdKind, Json>> = {
  uuid: { type: 'string', format: 'uuid' },
  integer: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  text: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' },
  slug: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
};

/** Whether every caller sends the id of what it creates. */
export const isSent = (kind: IdKind): boolean => kind === 'text' || kind === 'slug';

const KEYWORDS = ['type', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'];

/** The schema of what holds the id of a resource. */
export function idSchemaOf(side: ContractSide, resource: ResourceDescriptor): Json {
  const { keywords } = draftOf(side, resource).schema.properties.get('id')!.flat;
  return Object.fromEntries(
    KEYWORDS.flatMap((name) => (keywords.has(name) ? [[name, keywords.get(name)!.value]] : [])),
  );
}

/**
 * The fields with what each reference holds: the id of the collection that it refers to, or of the resource's own, which is
 * about to be added. Throws `ConfigError` for a collection that there is not.
 */
export const withTargets = (
  side: ContractSide,
  fields: readonly Field[],
  own?: { readonly collection: string; readonly type: string; readonly id: Json },
): readonly Field[] =>
  fields.map((field) => {
    if (field.type.kind !== 'ref') return field;
    if (field.type.collection === own?.collection)
      return { ...field, type: { ...field.type, target: own.type, id: own.id } };
    const target = resourceNamed(side, field.type.collection);
    const isOwned = target.owner?.reads === 'owner';
    return { ...field, type: { ...field.type, target: target.name, id: idSchemaOf(side, target), isOwned } };
  });

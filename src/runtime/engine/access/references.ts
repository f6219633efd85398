import { lookUp } from '../../../descriptor/look-up.ts';
import type { Id, PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { FieldError } from '../../errors/api-error.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { WriteCall } from '../interface/call.ts';
import { danglingReference, referenceNotFound } from '../resource/faults.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { findEach } from './find-each.ts';

/** What `checkReferences` checks of a resource: paths name its parent, and code what callers do not send. */
export const boundReferences = ({ descriptor, references, targets }: Resource): Resource['bound'] =>
  references.flatMap((property) => {
    const target = lookUp(targets, property.name);
    // By its own owner, a row refers to whom `x-owner` lets its caller name.
    const isFree = property.references.allowsHidden || property.name === descriptor.owner?.property;
    const byOwner = !isFree && target.levels.some((level) => level.descriptor.owner?.reads === 'owner');
    return property.origin !== 'parent' && (byOwner || target.filter.isRuled) ? [{ property, target, byOwner }] : [];
  });

/**
 * Checks that the caller reads the rows that an input refers to, where `x-owner` or `x-access` says who does: one that it
 * does not is like one that is not there, and so is one of another tenant than the row's, which the reader is within. What
 * the row refers to already stays as it is, and what is immutable cannot be changed, whatever it names. Throws
 * `REFERENCE_NOT_FOUND`.
 */
export async function checkReferences(
  reader: Reader,
  resource: Resource,
  input: Values,
  current: Row | undefined,
  { caller: { principal }, judge: byCode }: WriteCall,
): Promise<void> {
  const errors: FieldError[] = [];
  for (const { property, target, byOwner } of resource.bound) {
    const { name } = property;
    const id = normalize(property, input[name]) as Id | null | undefined;
    if (id == null || (current && isKept(resource, property, current, id, byCode !== undefined))) continue;
    // A caller without a token owns nothing.
    const isOwnerless = byOwner && !principal;
    const found = isOwnerless
      ? undefined
      : await findEach(reader, target, [id], principal, { by: byOwner ? 'own' : 'ruled' });
    if (!found?.has(id)) errors.push(danglingReference(resource, name, id));
  }
  if (errors.length > 0) throw referenceNotFound(errors);
}

const isKept = (
  resource: Resource,
  { name, immutable }: PropertyDescriptor,
  current: Row,
  id: Id,
  byCode: boolean,
): boolean => (immutable === true && !byCode) || resource.valueIn(current, name) === id;

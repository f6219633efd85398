import { conventionNames } from '../../../descriptor/convention-names.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import { type BatchDescriptor, type BatchKind, type Id, rowKeys } from '../../../descriptor/resource.ts';
import { type ApiError, type FieldError, remade } from '../../errors/api-error.ts';
import type { Validate } from '../../schema/schema-registry.ts';
import type { Version } from '../interface/call.ts';
import { normalized } from './normalize.ts';
import type { Resource } from './resource.ts';
import type { Values } from './row-codec.ts';
import { validated, validationFailed } from './validated.ts';

/** One write of a batch. */
export interface BatchItem {
  readonly at: number;
  readonly kind: BatchKind;
  /** The row that it names, by its id or by the values of a unique key. */
  readonly id?: Id;
  readonly key?: Values;
  readonly ifVersion?: Version;
  /** What is written; of an upsert, the new row. */
  readonly input?: Values;
  /** What an upsert changes of a row that is there. */
  readonly patch?: Values;
}

export interface Batch {
  readonly mode: 'ATOMIC' | 'EACH';
  readonly items: readonly BatchItem[];
}

interface Body {
  readonly mode?: Batch['mode'];
  readonly items: readonly Readonly<Record<string, Values>>[];
}

/** Reads a body that is valid. Throws `VALIDATION_FAILED` with every fault in it. */
export function batchReader(
  resource: Resource,
  { patch }: BatchDescriptor,
  validate: Validate,
): (input: unknown) => Batch {
  const names = conventionNames(resource.descriptor.nameCase);
  const read = (given: Readonly<Record<string, Values>>, at: number): BatchItem => {
    const [[kind, part]] = Object.entries(given) as [[BatchKind, Values]];
    const { id, key, [names.ifVersion]: ifVersion, input, create, update } = part;
    const own = { ...(id !== undefined && { id: id as Id }), ...(key !== undefined && { key: key as Values }) };
    if (kind !== 'upsert')
      return {
        at,
        kind,
        ...own,
        ...(ifVersion !== undefined && { ifVersion: ifVersion as Version }),
        ...(input !== undefined && { input: input as Values }),
      };
    const made = create as Values;
    const changes = update ?? Object.fromEntries(Object.entries(made).filter(([name]) => patch.includes(name)));
    return { at, kind, ...own, input: { ...made, ...(key as Values) }, patch: changes as Values };
  };
  return (input) => {
    const { mode = 'ATOMIC', items } = validated<Body>(validate, input);
    const batch = { mode, items: items.map(read) };
    const faults = batch.items.flatMap((item, at) => faultsOf(resource, item, items[at]?.[item.kind]?.['create']));
    if (faults.length > 0) throw validationFailed(faults);
    return batch;
  };
}

/** What schemas do not say of an item. `create` is that of an upsert. */
function faultsOf(resource: Resource, item: BatchItem, create: unknown): readonly FieldError[] {
  const { kind, id, key } = item;
  const place = placeOf(item);
  if (kind === 'create') return [];
  if (kind !== 'upsert' && (id === undefined) === (key === undefined))
    return [{ pointer: place, detail: 'must have either id or key' }];
  if (key === undefined) return [];
  const known = rowKeys(resource.descriptor);
  const isKey = known.some(
    (names) => names.length === Object.keys(key).length && names.every((name) => key[name] != null),
  );
  if (!isKey) {
    const words = known.map((names) => names.join(' and ')).join(', or ');
    return [{ pointer: `${place}/key`, detail: `must have the values of a unique key: ${words}` }];
  }
  if (kind !== 'upsert') return [];
  const [wanted, given] = [normalized(resource, key), normalized(resource, Object(create))];
  return Object.keys(wanted)
    .filter((name) => given[name] !== undefined && given[name] !== wanted[name])
    .map((name) => ({ pointer: childPointer(`${place}/create`, name), detail: 'must be the value of the key' }));
}

const placeOf = ({ at, kind }: Pick<BatchItem, 'at' | 'kind'>): string => `/items/${at}/${kind}`;

/** The error with its places in the body of the batch. `within`: the member of the item that has the input. */
export function inBatch(error: ApiError, resource: Resource, item: BatchItem, within: string): ApiError {
  const place = placeOf(item);
  const { ifVersion } = conventionNames(resource.descriptor.nameCase);
  const placed = (one: FieldError): FieldError => {
    const { detail: words, code: own } = one;
    const named = item.id === undefined ? 'key' : 'id';
    const pointer =
      'pointer' in one ? `${place}/${within}${one.pointer}` : `${place}/${'header' in one ? ifVersion : named}`;
    return { pointer, ...(own !== undefined && { code: own }), detail: words };
  };
  return error.errors ? remade(error, { errors: error.errors.map(placed) }) : error;
}

/** The error that ends a batch: it names the item, if it names no place in it. */
export function endingBatch(error: ApiError, { at }: Pick<BatchItem, 'at'>): ApiError {
  if (error.errors && error.errors.length > 0) return error;
  return remade(error, { errors: [{ pointer: `/items/${at}`, detail: error.detail ?? error.code }] });
}

import { lookUp } from '../descriptor/look-up.ts';
import type { ResourceDescriptor } from '../descriptor/resource.ts';
import type { Claims } from '../runtime/auth/index.ts';
import { createRowCodec } from '../runtime/engine/resource/index.ts';
import type { Row, Store } from '../runtime/storage/index.ts';

/** One row of a sample: all properties of a resource, by its key. */
export interface SampleRow {
  readonly resource: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Whom a ready-made token stands for: the token's `sub`, `scope`, and other claims. */
export interface SampleCaller {
  readonly subject: string;
  readonly scope: string;
  readonly claims?: Claims;
}

/** What a sample file exports. */
export interface Sample {
  sample(): Iterable<SampleRow>;
  readonly customer?: SampleCaller;
  readonly admin?: SampleCaller;
  /** Callers whose own row samples create or delete. */
  readonly others?: readonly (SampleCaller & { readonly role: 'newcomer' | 'leaver' })[];
}

/** No resource has a row yet. */
export async function isEmpty(store: Store, resources: readonly ResourceDescriptor[]): Promise<boolean> {
  for (const { key } of resources) if ((await store.count(key, [])) > 0) return false;
  return true;
}

/** Inserts all rows in one transaction; the number of rows. */
export async function load(
  store: Store,
  resources: readonly ResourceDescriptor[],
  rows: Iterable<SampleRow>,
): Promise<number> {
  const codecs = new Map(resources.map(({ key, properties }) => [key, createRowCodec(properties)]));
  return store.transaction(async (transaction) => {
    let count = 0;
    let batch: Row[] = [];
    let of: string | undefined;
    for (const { resource, values } of rows) {
      if (resource !== of && of !== undefined) {
        await transaction.insertAll(of, batch);
        batch = [];
      }
      of = resource;
      batch.push(lookUp(codecs, resource).toRow(values));
      count += 1;
    }
    if (of !== undefined) await transaction.insertAll(of, batch);
    return count;
  });
}

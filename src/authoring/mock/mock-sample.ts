import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { isPlainObject } from '../../descriptor/plain-object.ts';
import { dependenciesOf, type ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Claims } from '../../runtime/auth/index.ts';
import { createSchemaRegistry } from '../../runtime/schema/index.ts';
import type { Sample, SampleCaller, SampleRow } from '../../tools/sample.ts';
import {
  idOrValue,
  LifelikeValues,
  type PlannedIds,
  RowMaker,
  sampleNeeds,
  type Values,
} from '../../tools/samples/index.ts';
import { inOrder } from '../../tools/synthetic/index.ts';
import { scopesOf } from '../../tools/token/index.ts';

/** Rows of a sub-resource for each row of its parent. */
const CHILDREN_PER_PARENT = 2;
/** Rows that join two others, for each row of a resource without a parent: so many labels has an issue. */
const JOINED_PER_ROW = 3;

export interface MockOptions {
  readonly contract: CompiledContract;
  readonly seed: number;
  /** Number of rows of each resource without a parent. */
  readonly rows: number;
}

/** Rows of every resource, made from the contract alone, in an order in which references point backwards. */
export function mockSample({ contract, seed, rows }: MockOptions): Sample {
  const { document, resources } = contract;
  const schemas = createSchemaRegistry(document);
  const all = new Map<string, readonly Values[]>();
  const made = new Map<string, readonly Values[]>();
  const values = new LifelikeValues({ document, schemas, seed });
  const { caller, claims: planned, of, others } = sampleNeeds(contract);
  const scope = scopesOf(contract).join(' ');
  const ids: PlannedIds = new Map();
  for (const resource of inOrder(resources)) {
    const ends = endsOf(resource, resources);
    const above = resource.parent && all.get(resource.parent.resource);
    const alone = ends.length > 0 ? JOINED_PER_ROW * rows : rows;
    const needs = lookUp(of, resource.key);
    const count = Math.max(needs.rows.length, resource.parent ? CHILDREN_PER_PARENT * (above?.length ?? 0) : alone);
    const maker = new RowMaker(resource, { contract, schemas, values, made, ends, needs, ids });
    const own = Array.from({ length: count }, () => maker.make()).filter((row) => row !== undefined);
    all.set(resource.key, own);
    const deleted = needs.deleted && ids.get(needs.deleted);
    made.set(
      resource.key,
      own.filter(({ id }) => id !== deleted),
    );
  }
  const claims = claimsOf(planned, ids);
  return {
    *sample(): Iterable<SampleRow> {
      for (const [resource, own] of all) for (const row of own) yield { resource, values: row };
    },
    ...callers(contract, made, { subject: String(idOrValue(caller, ids)), scope, claims }),
    others: others.map((one) => ({ ...one, scope, claims })),
  };
}

/** The properties by which rows of a resource join others, for lists with `x-through`. */
function endsOf({ key }: ResourceDescriptor, resources: readonly ResourceDescriptor[]): readonly string[] {
  const followed = resources.flatMap(({ further = [] }) => further.flatMap((one) => dependenciesOf(one)));
  return [...new Set(followed.flatMap((one) => (one.resource === key ? one.properties : [])))];
}

/** Claims with the ids of rows. */
const claimsOf = (claims: Claims, ids: PlannedIds): Claims =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => {
      const known = idOrValue(value, ids);
      return [name, isPlainObject(known) ? claimsOf(known, ids) : known];
    }),
  );

/** A caller who owns rows and is bound by the owner rules, and one who is exempt from them. */
function callers(contract: CompiledContract, made: ReadonlyMap<string, readonly Values[]>, admin: SampleCaller) {
  const exempting = new Set(contract.resources.flatMap(({ owner }) => owner?.scope ?? []));
  const owned = contract.resources.find(({ owner, key }) => owner && made.get(key)?.length);
  const customer = owned && String(lookUp(made, owned.key)[0]![owned.owner!.property]);
  if (customer === undefined || exempting.size === 0) return { admin };
  const scope = scopesOf(contract).filter((one) => !exempting.has(one));
  return { customer: { ...admin, subject: customer, scope: scope.join(' ') }, admin };
}

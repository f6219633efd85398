/** The data that requests are made from; the same for every server. */
export interface Material {
  /** Path of the API: `/v1`. */
  readonly base: string;
  /** Existing products, with their versions before the first write. */
  readonly products: readonly { readonly id: string; readonly version: number }[];
  readonly token: string;
  /** What a server puts behind the version in its entity tags; nothing if left out. */
  readonly form?: string;
  /** The ids that a REST client needs for the first products with their reviews. */
  readonly shelf?: Shelf;
  /** Path and query of a page in the middle of the list. */
  readonly deepPage?: string;
  /** What the callers of tenants need. */
  readonly tenants?: readonly TenantMaterial[];
}

/** A token of a tenant, and the ids of its rows. */
export interface TenantMaterial {
  readonly token: string;
  readonly worker: string;
  readonly machines: readonly string[];
}

/** The first products, and the authors of their newest reviews. */
export interface Shelf {
  readonly productIds: readonly string[];
  readonly userIds: readonly string[];
}

/** One kind of request. Scenarios that read run before those that write. */
export interface Scenario {
  readonly name: string;
  /** The expected status of every response. */
  readonly status: number;
  /** Whether a response with that status is as expected; it always is if left out. */
  readonly isGood?: (body: string) => boolean;
  /** The text of the `i`th request. Every request of a run has a different `i`. */
  request(material: Material, i: number): string;
  readonly overRest?: RestCounterpart;
  /** The other services do not have it. */
  readonly isOwn?: true;
}

/** The requests by which a client gets the same data over REST. */
export interface RestCounterpart {
  /** Sent one after the other; each must return 200. */
  requests(material: Material, i: number): readonly string[];
  /** The data in the body of an answer that is not REST's. */
  answered(body: Json): Json;
  /** The bodies of REST, combined to the shape of those data; may have more properties. */
  dataOf(bodies: readonly Json[]): object;
}

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
export type Json = any;

/** Picks products so that consecutive requests do not use neighbouring rows. */
export function productAt({ products }: Material, i: number): Material['products'][number] {
  return products[(i * 7919) % products.length]!;
}

export function productPath(material: Material, i: number): string {
  return `${material.base}/products/${productAt(material, i).id}`;
}

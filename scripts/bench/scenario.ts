/** What the load is made from; the same for every server. */
export interface Material {
  /** Path of the API: `/v1`. */
  readonly base: string;
  /** Products that exist, as they are before the first write. */
  readonly products: readonly { readonly id: string; readonly version: number }[];
  readonly token: string;
  /** What a client of REST has to ask for to see the first products with their reviews. */
  readonly shelf?: Shelf;
  /** Path and query of a page in the middle of the list, for the scenario that asks for it. */
  readonly deepPage?: string;
}

/** The first products, and who wrote their newest reviews. */
export interface Shelf {
  readonly productIds: readonly string[];
  readonly userIds: readonly string[];
}

/** One kind of request. Those that read come before those that change what is read. */
export interface Scenario {
  readonly name: string;
  /** What every answer's status must be. */
  readonly status: number;
  /** Whether an answer of that status is a good one; where it is left out, the status tells. */
  readonly isGood?: (body: string) => boolean;
  /** The `i`th request, as it goes over the wire. No two have the same `i` in one run. */
  request(material: Material, i: number): string;
  readonly overRest?: RestCounterpart;
}

/** How a client gets the same data over REST. */
export interface RestCounterpart {
  /** Sent one after the other; each is answered with 200. */
  requests(material: Material, i: number): readonly string[];
  /** The bodies put together as the GraphQL answer has them; may have more properties. */
  dataOf(bodies: readonly Json[]): object;
}

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
export type Json = any;

/** Walks the products so that neighbours in time are not neighbours in the table. */
export function productAt({ products }: Material, i: number): Material['products'][number] {
  return products[(i * 7919) % products.length]!;
}

export function productPath(material: Material, i: number): string {
  return `${material.base}/products/${productAt(material, i).id}`;
}

import type { Resources } from '../../generated/handlers.ts';
import type { Overrides, ResourceTypes, Tables } from '../index.ts';

/** All rows of the shop, inside the running transaction. */
export type Store = Tables<Resources>;

/** Overrides of one resource of the shop. */
export type OverridesOf<Key extends keyof Resources> = NonNullable<Overrides<Resources>[Key]>;

type Row<T extends ResourceTypes> = T['resource'];
export type Order = Row<Resources['orders']>;
export type OrderItem = Row<Resources['orders.items']>;
export type Product = Row<Resources['products']>;

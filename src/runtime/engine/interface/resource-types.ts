import type { Action, Id } from '../../../descriptor/resource.ts';

/**
 * The TypeScript types of one resource; `Resources` of `generated/handlers.ts` has one entry per resource.
 * @example
 * import type { ResourceTypes } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * type RowOf<T extends ResourceTypes> = T['resource'];
 * type Order = RowOf<Resources['orders']>;
 */
export interface ResourceTypes {
  readonly resource: object;
  readonly input: object;
  readonly patch: object;
  /** Properties that only an override may set, never a caller. */
  readonly server: object;
  readonly query: object;
  readonly params: object;
  readonly actions: Action;
  /** `PUT` creates what is not there. */
  readonly creates?: true;
  /** What its path parameter holds in place of the id, by property. */
  readonly key?: object;
  /** Its operations beside its actions, by the action that they answer as and their names. */
  readonly further?: object;
  /** The error codes that the operation of each action declares. */
  readonly codes?: object;
  /** What filters may go to from its rows: the types of one row, or a list of those of many. */
  readonly related?: object;
  /** The arguments of GraphQL that give the parameters of its collection's path, where their names differ. */
  readonly arguments?: object;
  /** The case of the names of pages, if it is not camelCase. */
  readonly nameCase?: 'snake_case';
  /** Pages have the cursor of the one before. */
  readonly pagesBack?: true;
  /** Pages say whether their count is exact. */
  readonly countIsBounded?: true;
  /** The property that names the tenant of its rows. */
  readonly tenant?: string | number;
}

/** The type of a resource's id: a string, or a number where the contract says `integer`. */
export type IdOf<T extends ResourceTypes> = T['resource'] extends { readonly id: infer I extends Id } ? I : Id;

/** The types of all resources of a contract, by key. */
export type ResourceMap<R> = { readonly [K in keyof R]: ResourceTypes };

/** Keys of the resources that declare an action. */
export type ResourcesWith<R extends ResourceMap<R>, A extends Action> = {
  [K in keyof R]: A extends R[K]['actions'] ? K : never;
}[keyof R];

/** The names by which the further operations of a resource are bound that answer as an action. */
export type FurtherNames<T extends ResourceTypes, A extends string> = T extends {
  readonly further: { readonly [_ in A]: infer N };
}
  ? keyof N & string
  : never;

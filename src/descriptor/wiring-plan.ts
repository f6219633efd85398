import { type FieldDescriptor, type GraphqlDescriptor, isFurtherField, partsOfCoordinate } from './graphql.ts';
import {
  ACTIONS,
  type Action,
  type FurtherOperation,
  nameOfFurther,
  type OwnRole,
  type ResourceDescriptor,
} from './resource.ts';
import type { RestDescriptor } from './rest.ts';

/** A further operation that answers, by its id. */
interface FurtherBinding {
  readonly bind: 'through' | OwnRole;
  readonly resource: string;
  readonly by: readonly [operationId: string];
}

/** What answers an operation: an action of a resource, or hand-written code. */
export type RouteBinding =
  | { readonly bind: Action; readonly resource: string; readonly by?: readonly [property: string] }
  | FurtherBinding
  /** `route`: code that only HTTP has. */
  | { readonly bind: 'operation' | 'route'; readonly operationId: string };

/** What resolves a field, or the type of a union. */
export type FieldBinding =
  /** `by` are the properties of which an argument of a `get` names one, where there are several. */
  | { readonly bind: Action; readonly resource: string; readonly by?: readonly string[] }
  | { readonly bind: 'reference'; readonly resource: string; readonly property: string }
  /** Without a `property`, the resource is a sub-resource of the parent. */
  | { readonly bind: 'connection'; readonly resource: string; readonly property?: string }
  | FurtherBinding
  /** A property of the parent under another name. */
  | { readonly bind: 'property'; readonly property: string }
  /** The same of an integer that is an `ID`. */
  | { readonly bind: 'integerId'; readonly property: string }
  | { readonly bind: 'created' | 'updated' | 'deleted'; readonly resource: string; readonly field: string }
  /** The function of an operation. */
  | { readonly bind: 'operation'; readonly operationId: string }
  /** Code of a field alone: of the root types, or of any other. */
  | { readonly bind: 'root' | 'field'; readonly type: string; readonly field: string };

interface UnionBinding {
  readonly property: string;
  /** Name of the type by the property's value. */
  readonly types: Readonly<Record<string, string>>;
}

/** By operationId, in the order of the document. */
export type RoutePlan = ReadonlyMap<string, RouteBinding>;

export interface ResolverPlan {
  /** By name of the type, then of the field: the root types first. */
  readonly types: ReadonlyMap<string, ReadonlyMap<string, FieldBinding>>;
  readonly unions: ReadonlyMap<string, UnionBinding>;
}

/** What answers each operation of a contract. `routes.ts` is printed from it, or it is wired directly. */
export function planRoutes({ operations }: RestDescriptor, resources: readonly ResourceDescriptor[]): RoutePlan {
  const conventional = new Map(
    resources.flatMap((resource) => [
      ...ACTIONS.flatMap((action): [string, RouteBinding][] => {
        const { operationId } = resource.actions[action] ?? {};
        return operationId === undefined ? [] : [[operationId, { bind: action, resource: resource.key }]];
      }),
      ...(resource.further ?? []).map((one): [string, RouteBinding] => [
        one.operationId,
        furtherBinding(resource, one),
      ]),
    ]),
  );
  return new Map(
    operations.map(({ operationId, code }) => [
      operationId,
      conventional.get(operationId) ?? { bind: code?.in === 'routes' ? 'route' : 'operation', operationId },
    ]),
  );
}

const furtherBinding = ({ key }: ResourceDescriptor, further: FurtherOperation): RouteBinding =>
  further.kind === 'lookup'
    ? { bind: 'get', resource: key, by: [nameOfFurther(further)] }
    : { bind: further.kind, resource: key, by: [nameOfFurther(further)] };

/** The root types, in the order in which they are printed. */
export const ROOTS: readonly string[] = ['Query', 'Mutation', 'Subscription'];

/** What resolves each field that is not the property of its name. `resolvers.ts` is printed from it. */
export function planResolvers(graphql: GraphqlDescriptor, resources: readonly ResourceDescriptor[]): ResolverPlan {
  const parents = new Map(resources.map(({ key, parent }) => [key, parent]));
  const types = new Map<string, Map<string, FieldBinding>>();
  for (const [coordinate, descriptor] of Object.entries(graphql.fields)) {
    const { type, field } = partsOfCoordinate(coordinate);
    const fields = types.get(type) ?? new Map<string, FieldBinding>();
    types.set(type, fields.set(field, bindingOf(descriptor, type, field, parents, graphql)));
  }
  const rank = (type: string): number => (ROOTS.includes(type) ? ROOTS.indexOf(type) : ROOTS.length);
  return {
    types: new Map([...types].sort(([a], [b]) => rank(a) - rank(b))),
    unions: new Map(Object.entries(graphql.unions)),
  };
}

function bindingOf(
  descriptor: FieldDescriptor,
  type: string,
  field: string,
  parents: ReadonlyMap<string, ResourceDescriptor['parent']>,
  graphql: GraphqlDescriptor,
): FieldBinding {
  if (isFurtherField(descriptor))
    return { bind: descriptor.kind, resource: descriptor.resource, by: [descriptor.operationId] };
  switch (descriptor.kind) {
    case 'custom':
      if (descriptor.isOperation && descriptor.operationId !== undefined)
        return { bind: 'operation', operationId: descriptor.operationId };
      return { bind: ROOTS.includes(type) ? 'root' : 'field', type, field };
    case 'property':
      return { bind: descriptor.isIntegerId ? 'integerId' : 'property', property: descriptor.property };
    case 'reference':
      return { bind: 'reference', resource: descriptor.resource, property: descriptor.property };
    case 'connection': {
      const { resource, property, through } = descriptor;
      if (through !== undefined) return { bind: 'through', resource, by: [through] };
      const parent = parents.get(resource);
      const isOfPath = parent?.property === property && parent.resource === graphql.types[type];
      return { bind: 'connection', resource, ...(!isOfPath && { property }) };
    }
    case 'created':
    case 'updated':
    case 'deleted':
      return { bind: descriptor.kind, resource: descriptor.resource, field };
    case 'get':
      return { bind: 'get', resource: descriptor.resource, ...(descriptor.by && { by: descriptor.by }) };
    default:
      return { bind: descriptor.kind, resource: descriptor.resource };
  }
}

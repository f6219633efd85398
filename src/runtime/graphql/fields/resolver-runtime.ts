import type { Access } from '../../../descriptor/access.ts';
import type { CustomField, FieldDescriptor, FurtherField, GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import type { Action, OwnRole } from '../../../descriptor/resource.ts';
import type { Engine, ResourceActions } from '../../engine/interface/engine.ts';
import type { ResourceFields } from './argument-names.ts';
import type { InputDecoders } from './arguments.ts';

type OperationField = readonly [coordinate: string, field: CustomField];

export function operationFieldsOf({ fields }: GraphqlDescriptor): ResolverRuntime['operationFields'] {
  const answered = Object.entries(fields).flatMap(([coordinate, field]): readonly OperationField[] =>
    field.kind === 'custom' && field.isOperation ? [[coordinate, field]] : [],
  );
  return Map.groupBy(answered, ([, { operationId }]) => operationId);
}

/** Shared by all resolvers of a schema. */
export interface ResolverRuntime {
  readonly engine: Engine;
  readonly descriptor: GraphqlDescriptor;
  readonly fields: ResourceFields;
  readonly inputs: InputDecoders;
  /** The fields that operations answer, with their coordinates, by operationId. */
  readonly operationFields: ReadonlyMap<string | undefined, readonly OperationField[]>;
  /** Coordinates of the fields that have hand-written resolvers. */
  readonly replaced: ReadonlySet<string>;
}

/**
 * The actions of a resource, and the access of one, whose caller the field's policy has admitted. Throws, at boot, if the
 * contract does not have the resource or the action.
 */
export function actionsFor<T>(
  { engine }: ResolverRuntime,
  resource: string,
  action: Action,
): { readonly actions: ResourceActions<T>; readonly access: Access } {
  const actions = engine.resources.get(resource);
  const declared = actions?.descriptor.actions[action];
  if (!declared) throw new Error(`The contract has no action ${resource}.${action}.`);
  return { actions: actions as ResourceActions<T>, access: declared.access };
}

/** The field of a further operation. Throws, at boot, if no field has it. */
export function furtherFieldOf<R extends OwnRole>(
  { descriptor }: Pick<ResolverRuntime, 'descriptor'>,
  role: R,
  operation: string,
): Extract<FieldDescriptor, FurtherField<R>> {
  const isOf = (field: FieldDescriptor): field is Extract<FieldDescriptor, FurtherField<R>> =>
    field.kind === role && field.operationId === operation;
  const found = Object.values(descriptor.fields).find(isOf);
  if (!found) throw new Error(`No field has the operation ${operation}.`);
  return found;
}

import { ACTIONS, type Action, type ResourceDescriptor } from '../../descriptor/resource.ts';

/** An action of a resource and the operation that offers it. */
export interface OfferedAction {
  readonly key: string;
  readonly action: Action;
  readonly operationId: string;
}

export function resourceActions(resources: readonly ResourceDescriptor[]): readonly OfferedAction[] {
  return resources.flatMap(({ key, actions }) =>
    ACTIONS.flatMap((action) => {
      const declared = actions[action];
      return declared ? [{ key, action, operationId: declared.operationId }] : [];
    }),
  );
}

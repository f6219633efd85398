import type { FurtherDraft, OperationDraft, ResourceDraft } from '../draft.ts';

/** The reason why an operation is not what its extension declares, and what to write instead. */
export interface FurtherFault {
  readonly message: string;
  readonly hint: string;
  /** The key of the operation that is wrong. */
  readonly key: string;
  /** A name that nothing has, and those that it may stand for. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] };
  /** The node that is wrong, in place of the operation's key. */
  readonly node?: object;
  /** The other place that it is about. */
  readonly also?: { readonly node: object; readonly key: string };
}

/** An operation whose extension declares a further operation, as far as it can be read. */
export interface ReadFurther<F extends FurtherDraft = FurtherDraft> {
  readonly operation: OperationDraft;
  /** The resource that has it. */
  readonly resource?: ResourceDraft;
  readonly further?: F;
  readonly faults: readonly FurtherFault[];
}

export const faultOf = (key: string, message: string, hint: string): FurtherFault => ({ key, message, hint });

/** An extension, `key`, that names no resource. `does`: what it declares, `has totals of`. */
export const unknownResource = (
  { operationId }: OperationDraft,
  key: string,
  does: string,
  name: string,
  resources: readonly ResourceDraft[],
): FurtherFault => ({
  ...faultOf(key, `\`${operationId}\` ${does} \`${name}\`, which is not a resource.`, 'Name the schema of a resource.'),
  unknown: { name, known: resources.map((one) => one.name) },
});

import { type FloatValueNode, GraphQLError, getNamedType, type IntValueNode, Kind, type ValidationRule } from 'graphql';
import { isSendable } from '../../../descriptor/written-number.ts';
import { ApiError } from '../../errors/api-error.ts';
import { ROUNDED } from '../../schema/unstorable.ts';

/** Scalars that keep the digits of a literal, or refuse it themselves. */
const OTHERS: ReadonlySet<string | undefined> = new Set([
  'Int',
  'SafeInt',
  'ID',
  'String',
  'Boolean',
  'BigInt',
  'Decimal',
]);

/** Refuses literals that a double would change, as the schemas of inputs refuse such numbers of variables. */
export const exactNumbers: ValidationRule = (context) => {
  const check = (
    node: IntValueNode | FloatValueNode,
    _key: unknown,
    parent: unknown,
    keys: readonly (string | number)[],
    above: readonly unknown[],
  ): void => {
    const type = context.getInputType();
    if (OTHERS.has(type ? getNamedType(type).name : undefined) || isSendable(node.value)) return;
    const argument = placeOf(keys, [...above, parent]);
    const detail = `${argument} ${ROUNDED}`;
    const originalError = new ApiError('VALIDATION_FAILED', { detail, errors: [{ argument, detail: ROUNDED }] });
    context.reportError(new GraphQLError(detail, { nodes: node, originalError }));
  };
  return { IntValue: check, FloatValue: check };
};

/** `input.meta.0.size`, or `$input.meta.0.size` in the default of a variable. */
function placeOf(keys: readonly (string | number)[], above: readonly unknown[]): string {
  const names = (above as readonly Node[]).map((node, i) => {
    if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return node.name?.value;
    if (node.kind === Kind.VARIABLE_DEFINITION) return `$${node.variable?.name.value}`;
    return (above[i - 1] as Node | undefined)?.kind === Kind.LIST ? keys[i] : undefined;
  });
  return names.filter((name) => name !== undefined).join('.');
}

interface Named {
  readonly name: { readonly value: string };
}

/** A node of a document, or a list of them. */
interface Node extends Partial<Named> {
  readonly kind?: string;
  readonly variable?: Named;
}

import { type GraphQLOutputType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql';

/**
 * Checks what code answers for a field, as the execution does later: an answer that fails there fails before it is
 * committed. Fields with resolvers are left to the execution. `place` begins with the field: `Mutation.tally.count`.
 */
export function checkAnswer(type: GraphQLOutputType, value: unknown, place: string): void {
  if (isNonNullType(type)) {
    if (value == null) throw new Error(`${place} is ${value}, which the schema does not allow.`);
    checkAnswer(type.ofType, value, place);
  } else if (value == null || typeof value === 'function' || value instanceof Promise) {
    return;
  } else if (isListType(type)) {
    for (const [i, one] of [...(value as Iterable<unknown>)].entries()) checkAnswer(type.ofType, one, `${place}.${i}`);
  } else if (isLeafType(type)) {
    type.serialize(value);
  } else if (isObjectType(type)) {
    const values = value as Readonly<Record<string, unknown>>;
    for (const { name, type: inner, resolve } of Object.values(type.getFields()))
      if (!resolve) checkAnswer(inner, values[name], `${place}.${name}`);
  }
}

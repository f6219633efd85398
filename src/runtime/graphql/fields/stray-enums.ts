import { type GraphQLSchema, isEnumType } from 'graphql';
import type { ReportStray } from '../../errors/stray-values.ts';

/**
 * Makes the enums of a schema answer what they do not have as it is, and report it: rows outlive contracts, and one
 * value of one row must not take a whole list away. What callers send is held against the enum as before.
 */
export function answerStrays(schema: GraphQLSchema, report: ReportStray): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || type.name.startsWith('__')) continue;
    const names = new Map<unknown, string>(type.getValues().map(({ name, value }) => [value, name]));
    const { name } = type;
    type.serialize = (value: unknown) => names.get(value) ?? stray(name, value, report);
  }
}

function stray(type: string, value: unknown, report: ReportStray): string {
  report(type, value);
  return String(value);
}

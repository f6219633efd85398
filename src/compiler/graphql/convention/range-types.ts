import { type GraphQLSchema, isInputObjectType } from 'graphql';
import type { FilterOperator } from '../../../descriptor/resource.ts';
import type { TypeDeriver } from './type-deriver.ts';

const WORDS: Readonly<Record<FilterOperator, string>> = {
  eq: 'Exactly this.',
  in: 'One of these.',
  gt: 'More than this.',
  gte: 'This or more.',
  lt: 'Less than this.',
  lte: 'This or less.',
  contains: 'The text contains this; ASCII letters match in either case.',
};

/** The operators of a filter, each with the type that it compares with. */
export type Operators = readonly (readonly [operator: FilterOperator, type: string])[];

/** The input types of compared filters. Filters with the same operators on the same type share one. */
export class RangeTypes {
  readonly #types: TypeDeriver;
  /** Names by operators. */
  readonly #known = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(types: TypeDeriver, schema: GraphQLSchema | undefined) {
    this.#types = types;
    for (const type of Object.values(schema?.getTypeMap() ?? {})) {
      this.#taken.add(type.name);
      if (!isInputObjectType(type) || type.name.endsWith('Filter') !== /^TextFilter$/.test(type.name)) continue;
      const fields = Object.values(type.getFields()).map((field) => [field.name, String(field.type)] as const);
      this.#known.set(keyOf(fields), type.name);
    }
  }

  /** The type for these operators; `own` is what it is called when the common name has other operators. */
  nameOf(operators: Operators, own: string): string {
    const key = keyOf(operators);
    const [, operand = 'String'] = operators.find(([operator]) => operator !== 'contains') ?? [];
    const common = operators.every(([operator]) => operator === 'contains') ? 'TextFilter' : `${operand}Range`;
    const name =
      this.#known.get(key) ?? [common, `${own}Range`].find((one) => !this.#taken.has(one)) ?? `${own}Operators`;
    this.#known.set(key, name);
    this.#taken.add(name);
    const members = operators.map(([operator, type]) => ({ name: operator, description: WORDS[operator], type }));
    const description = common === 'TextFilter' ? 'Texts that contain something.' : `A range of ${operand} values.`;
    this.#types.add({ kind: 'input', name, description, members, home: undefined });
    return name;
  }
}

const keyOf = (operators: readonly (readonly [string, string])[]): string =>
  operators
    .map(([operator, type]) => `${operator}: ${type}`)
    .sort()
    .join();

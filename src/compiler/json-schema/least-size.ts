import type { Narrowed } from './narrowed.ts';
import { typesOf, type ValueSchema } from './value-schema.ts';
import { tupleLength, type Whole, type WholeSchemas } from './whole-schema.ts';

/** The type that values of a schema have: the declared one but null, else the one that its keywords are about. */
export function kindOf({ schema, parts }: Whole): string | undefined {
  const declared = typesOf(schema);
  if (declared.length > 0) return declared.find((type) => type !== 'null') ?? 'null';
  const found = Object.entries(KEYWORDS).find(([, keywords]) =>
    parts.some((part) => keywords.some((keyword) => part[keyword] !== undefined)),
  );
  return found?.[0];
}

const KEYWORDS: Readonly<Record<string, readonly (keyof ValueSchema)[]>> = {
  object: ['properties', 'required', 'patternProperties', 'propertyNames', 'minProperties'],
  array: ['items', 'prefixItems', 'contains', 'minItems'],
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** The wholes that a value needs, and how often: one of them, or all. */
type Needs =
  | { readonly kind: 'one'; readonly of: readonly Whole[] }
  | { readonly kind: 'all'; readonly of: readonly (readonly [Whole, number])[]; readonly besides: number };

/** How many values the smallest value of a schema is made of, itself included; infinite if it must contain itself. */
export class LeastSizes {
  readonly #wholes: WholeSchemas;
  readonly #leavesOut: 'readOnly' | 'writeOnly' | undefined;
  readonly #needs = new Map<Whole, Needs>();
  readonly #sizes = new Map<Whole, number>();

  constructor(wholes: WholeSchemas, leavesOut: 'readOnly' | 'writeOnly' | undefined) {
    this.#wholes = wholes;
    this.#leavesOut = leavesOut;
  }

  /** What is not described may be anything. */
  of(whole: Whole | undefined): number {
    if (whole === undefined) return 1;
    if (!this.#sizes.has(whole)) this.#settle(this.#reached(whole));
    return this.#sizes.get(whole)!;
  }

  /** Sizes get smaller until none does: each is that of a tree in which no schema stands below itself. */
  #settle(wholes: readonly Whole[]): void {
    for (const whole of wholes) this.#sizes.set(whole, Number.POSITIVE_INFINITY);
    let changes = true;
    while (changes) {
      changes = false;
      for (const whole of wholes) {
        const size = this.#sum(this.#needsOf(whole));
        if (size >= this.#sizes.get(whole)!) continue;
        this.#sizes.set(whole, size);
        changes = true;
      }
    }
  }

  /** All wholes without a size that a value may need, the innermost first. */
  #reached(start: Whole): readonly Whole[] {
    const seen = new Set<Whole>([start]);
    const found: Whole[] = [];
    const stack = [start];
    for (let whole = stack.pop(); whole !== undefined; whole = stack.pop()) {
      found.push(whole);
      const needs = this.#needsOf(whole);
      const inner = needs.kind === 'one' ? needs.of : needs.of.map(([one]) => one);
      for (const one of inner) {
        if (seen.has(one) || this.#sizes.has(one)) continue;
        seen.add(one);
        stack.push(one);
      }
    }
    return found.reverse();
  }

  #sum(needs: Needs): number {
    const sizeOf = (whole: Whole): number => this.#sizes.get(whole) ?? Number.POSITIVE_INFINITY;
    if (needs.kind === 'one') return 1 + Math.min(...needs.of.map(sizeOf));
    return needs.of.reduce((sum, [whole, times]) => sum + times * sizeOf(whole), 1 + needs.besides);
  }

  #needsOf(whole: Whole): Needs {
    const needs = this.#needs.get(whole) ?? this.#needed(whole);
    this.#needs.set(whole, needs);
    return needs;
  }

  #needed(whole: Whole): Needs {
    const { schema } = whole;
    if (schema.enum) return { kind: 'all', of: [], besides: schema.enum.length > 0 ? 0 : Number.POSITIVE_INFINITY };
    if (this.#wholes.isNullable(whole)) return { kind: 'all', of: [], besides: 0 };
    const alternatives = this.#wholes.alternatives(whole);
    if (alternatives) return { kind: 'one', of: alternatives };
    switch (kindOf(whole)) {
      case 'object':
        return this.#ofObject(whole);
      case 'array':
        return this.#ofArray(whole);
      default:
        return { kind: 'all', of: [], besides: 0 };
    }
  }

  #ofObject(whole: Whole): Needs {
    const { required = [], minProperties = 0 } = whole.schema;
    const members = required.map((name) => this.#wholes.member(whole, name));
    const made = members.filter((one) => one !== undefined).filter(({ schema }) => !isLeftOut(schema, this.#leavesOut));
    const besides = members.filter((one) => one === undefined).length + Math.max(0, minProperties - members.length);
    return { kind: 'all', of: made.map((one) => [one, 1] as const), besides };
  }

  #ofArray(whole: Whole): Needs {
    const minItems = leastLength(whole);
    const described = tupleLength(whole);
    const first = Array.from({ length: Math.min(described, minItems) }, (_, index) => [index, 1] as const);
    const places = minItems > described ? [...first, [described, minItems - described] as const] : first;
    const items = places.map(([index, times]) => [this.#wholes.item(whole, index), times] as const);
    const known = items.filter((one): one is readonly [Whole, number] => one[0] !== undefined);
    const besides = items.filter(([one]) => one === undefined).reduce((sum, [, times]) => sum + times, 0);
    return { kind: 'all', of: known, besides };
  }
}

/** Whether a property is of the other direction. */
export const isLeftOut = (schema: Narrowed, leavesOut: 'readOnly' | 'writeOnly' | undefined): boolean =>
  leavesOut !== undefined && schema[leavesOut] === true;

/** How many entries an array must have. */
export function leastLength({ schema, parts }: Whole): number {
  const contained = parts.map(({ contains, minContains = 1 }) => (contains === undefined ? 0 : minContains));
  return Math.max(schema.minItems ?? 0, ...contained);
}

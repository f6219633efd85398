import type { RowCondition } from '../../../descriptor/row-access.ts';
import type { Place } from '../../findings/finding.ts';
import { type Constant, constantOf, type IsPresent } from './constant.ts';
import { covers } from './covers.ts';
import type { PlacedAlternative, ReadAccess } from './read-access.ts';

/** What is said of a part of a rule, and what to do about it. */
export interface ConstantFinding extends Place {
  readonly message: string;
  readonly hint: string;
}

/** The parts of a rule that hold for every row and caller, or for none, or add nothing to others. */
export function* constantFindings(
  { alternatives, placeOf }: ReadAccess,
  resource: string,
  isPresent: IsPresent,
): Iterable<ConstantFinding> {
  const judge = (condition: RowCondition, of: string) => constantOf(condition, of, isPresent);
  for (const alternative of alternatives) {
    const { scope, where, place, action } = alternative;
    const covering = coveringOf(alternative, alternatives);
    if (scope === undefined && where === undefined)
      yield {
        ...place,
        message: `An alternative of \`${action}\` has neither \`scope\` nor \`where\`, so it always holds.`,
        hint: `Remove \`${action}\`, or give the alternative a condition.`,
      };
    else if (covering)
      yield {
        ...place,
        message: `This alternative of \`${action}\` admits no caller that another alternative does not admit.`,
        hint: 'Remove it, or narrow the other one.',
      };
    else if (where) yield* partsOf(where, resource, judge, (one) => placeOf(one) ?? place);
  }
}

/** Another alternative that holds wherever this one does; of two that are equal, the first. */
function coveringOf(one: PlacedAlternative, all: readonly PlacedAlternative[]): PlacedAlternative | undefined {
  return all.find(
    (other) =>
      other !== one &&
      other.action === one.action &&
      covers(other, one) &&
      (all.indexOf(other) < all.indexOf(one) || !covers(one, other)),
  );
}

type Judge = (condition: RowCondition, resource: string) => Constant;

/** The smallest constant parts. `expected`: what was said already of the condition around it. */
function* partsOf(
  condition: RowCondition,
  resource: string,
  judge: Judge,
  placeOf: (condition: RowCondition) => Place,
): Iterable<ConstantFinding> {
  const constant = judge(condition, resource);
  const inner = innerOf(condition, resource);
  const causes = constant === undefined ? inner : inner.filter(([one, of]) => judge(one, of) !== undefined);
  const isCaused = constant !== undefined && causes.length > 0;
  if (constant !== undefined && !isCaused) yield { ...placeOf(condition), ...wordsOf(constant) };
  else for (const [one, of] of causes) yield* partsOf(one, of, judge, placeOf);
}

function innerOf(condition: RowCondition, resource: string): readonly (readonly [RowCondition, string])[] {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.map((one) => [one, resource] as const);
    case 'not':
      return [[condition.condition, resource]];
    case 'reference':
    case 'some':
      return [[condition.condition, condition.resource]];
    default:
      return [];
  }
}

const wordsOf = (constant: 'always' | 'never') =>
  constant === 'always'
    ? {
        message: 'This condition holds for every row and every caller.',
        hint: 'Remove it, or compare with the intended value.',
      }
    : {
        message: 'This condition holds for no row and no caller.',
        hint: 'Remove it, or compare with the intended value.',
      };

import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument } from '../../../../descriptor/document.ts';
import { pointerTokens, valueAt } from '../../../../descriptor/json-pointer.ts';
import type { ContractModel } from '../../../model/model.ts';
import type { Difference, DifferenceVerdict } from './difference.ts';
import { effectiveDocument, effectiveValues } from './effective-document.ts';
import { Meanings, rootOf } from './meanings.ts';

type Keywords = Readonly<Record<string, unknown>>;

const CONSTRAINT = 'schema-constraint-changed';
const OPENNESS = /^(?:additional|unevaluated)Properties$/;

/**
 * What differences between two documents change in what the server does. To declare what was so before is `minor`; to stop
 * saying that something goes, which goes unsaid no longer, is `major`.
 */
export class Effects {
  readonly #before: OpenApiDocument;
  readonly #after: OpenApiDocument;
  readonly #meanings: Meanings;

  constructor(released: ContractModel, current: ContractModel) {
    this.#before = effectiveDocument(released);
    this.#after = effectiveDocument(current);
    this.#meanings = new Meanings(effectiveValues(released), effectiveValues(current));
  }

  /** The differences with the impact that they have in effect, and what breaks clients without being one of them. */
  ratedAll(differences: readonly Difference[]): readonly Difference[] {
    const rated = differences.map((difference) => this.rated(difference));
    const roots = new Set(rated.filter(isMajor).flatMap(rootsOf));
    const more = this.#meanings.losses(roots);
    return [...rated, ...new Map(more.map((loss) => [loss.path, loss])).values()];
  }

  /** The difference with the impact that it has in effect. */
  rated(difference: Difference): Difference {
    const rated = this.#rated(difference);
    return isMajor(rated) && this.#meanings.isSame(difference) ? rephrased(rated) : rated;
  }

  #rated(difference: Difference): Difference {
    const { verdicts } = difference;
    if (verdicts.length > 0 && verdicts.every(({ ruleId }) => ruleId === CONSTRAINT))
      return this.#isIdle(difference)
        ? declared(difference)
        : this.#isLifted(difference)
          ? lifted(difference)
          : difference;
    const lost = verdicts.length === 0 && this.#isSent(difference) ? this.#loss(difference) : undefined;
    return lost ? { ...difference, impact: 'major', verdicts: [lost] } : difference;
  }

  /** Whether the keyword means the same in both documents, said or unsaid. */
  #isIdle(difference: Difference): boolean {
    const keyword = keywordOf(difference);
    const [before, after] = this.#schemas(difference, keyword);
    if (!before || !after) return false;
    // A client ignores properties that it does not know, and may send more than it does.
    if (OPENNESS.test(keyword)) return before[keyword] === false || after[keyword] === before[keyword];
    const meant = keyword === 'format' ? ['format', 'minimum', 'maximum'] : [keyword];
    return meant.every((name) => isDeepStrictEqual(before[name], after[name]));
  }

  /** Whether a parameter's pattern is gone, or refuses no more than the server always does. */
  #isLifted(difference: Difference): boolean {
    const keyword = keywordOf(difference);
    const [before, after] = this.#schemas(difference, keyword);
    const isOfParameter = (difference.base ?? difference.revision)!.pointer.includes('/parameters/');
    return keyword === 'pattern' && isOfParameter && before !== undefined && after !== undefined && !(keyword in after);
  }

  /** Redocly takes objects to be open that do not say they are closed. Here, what they no longer name is refused. */
  #loss(difference: Difference): DifferenceVerdict | undefined {
    const keyword = keywordOf(difference);
    if (OPENNESS.test(keyword)) {
      const [before, after] = this.#schemas(difference, keyword);
      if (!before || !after || !isClosed(after) || isClosed(before)) return undefined;
      return { ruleId: CONSTRAINT, impact: 'major', message: 'Properties that no schema names are now refused.' };
    }
    const [, parent, name] = /^(.*)\/properties\/([^/]+)$/.exec(difference.base?.pointer ?? '') ?? [];
    if (difference.kind !== 'removed' || parent === undefined) return undefined;
    const after = nodeAt(this.#after, parent);
    if (!after || !isClosed(after)) return undefined;
    return { ruleId: 'property-removed', impact: 'major', message: `Property \`${name}\` was removed.` };
  }

  /** The schema that has the keyword, in both documents. */
  #schemas({ base, revision }: Difference, keyword: string): readonly [Keywords | undefined, Keywords | undefined] {
    const before = ownerOf((base ?? revision)!.pointer, keyword);
    return [nodeAt(this.#before, before), nodeAt(this.#after, ownerOf((revision ?? base)!.pointer, keyword))];
  }

  #isSent({ base, revision }: Difference): boolean {
    const [root, group, name] = pointerTokens((base ?? revision)!.pointer.replace(/^#/, ''));
    if (root === 'components' && group === 'schemas') return this.#meanings.isSent(name ?? '');
    return root === 'paths' || group === 'parameters' || group === 'requestBodies';
  }
}

const isMajor = ({ verdicts }: Difference): boolean => verdicts.some(({ impact }) => impact === 'major');
const rootsOf = ({ base, revision }: Difference): readonly string[] =>
  [base, revision].flatMap((one) => (one ? [rootOf(one.pointer)] : []));

const rephrased = (difference: Difference): Difference =>
  harmless(difference, 'schema-rephrased', 'all that was accepted is, and answers are the same');
const declared = (difference: Difference): Difference =>
  harmless(difference, 'constraint-declared', 'the server has always acted so');

const lifted = (difference: Difference): Difference =>
  harmless(difference, 'constraint-lifted', 'all accepted values still are');

function harmless(difference: Difference, ruleId: string, why: string): Difference {
  const verdicts = difference.verdicts.map(({ message, ...verdict }): DifferenceVerdict => {
    return { ...verdict, ruleId, impact: 'minor', message: `${message.replace(/\.$/, '')}; ${why}.` };
  });
  return { ...difference, impact: 'minor', verdicts };
}

const keywordOf = ({ property, path }: Difference): string => property ?? path.slice(path.lastIndexOf('/') + 1);

/** A pointer leads to the keyword where there is one, and else to its schema, which may be a property of that name. */
function ownerOf(pointer: string, keyword: string): string {
  const owner = pointer.slice(0, -keyword.length - 1);
  return pointer.endsWith(`/${keyword}`) && !owner.endsWith('/properties') ? owner : pointer;
}

function nodeAt(document: OpenApiDocument, pointer: string): Keywords | undefined {
  const node = valueAt(document, pointerTokens(pointer.replace(/^#/, '')));
  return typeof node === 'object' && node !== null ? (node as Keywords) : undefined;
}

const isClosed = (schema: Keywords): boolean =>
  schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;

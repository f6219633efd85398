import type { ErrorObject } from 'ajv';
import type { Schema } from '../../descriptor/document.ts';
import { closest, oneOf } from '../findings/wording.ts';
import type { ContractDraft, ResourceDraft } from '../model/draft.ts';
import { GUARDS, validatorOf } from '../model/extensions/extension-value.ts';
import { EXTENSIONS, type ExtensionPlace } from '../model/extensions/extensions.ts';
import { flatSchema } from '../model/schemas.ts';
import { rule } from './rule.ts';

/** What is said of schemas other than resources, too. */
const ANYWHERE = new Set(['x-error-codes', 'x-parity', 'x-resource']);

export const extensionRules = [
  rule({
    id: 'extension-unknown',
    summary: 'The names of extensions are spelled correctly.',
    advice: 'A misspelled extension would be ignored without a warning.',
    each: (draft) => draft.extensions.filter(({ name }) => !Object.hasOwn(EXTENSIONS, name)),
    check({ name, node }) {
      const known = Object.keys(EXTENSIONS).map((one) => one.slice(2));
      const near = closest(name.slice(2), known);
      return (
        near !== undefined && {
          message: `\`${name}\` is not an extension of the conventions.`,
          hint: `Did you mean \`x-${near}\`?`,
          node,
          key: name,
        }
      );
    },
  }),
  rule({
    id: 'extension-place',
    summary: 'An extension is at a place where it has an effect.',
    advice:
      'Extensions of resources belong on the schemas of resources, not on inputs or patches. docs/reference/extensions.md lists the place of each.',
    *each(draft) {
      const effective = new Set(draft.resources.flatMap(nodesOf));
      for (const use of ownUses(draft)) yield { ...use, isEffective: effective.has(use.node) };
    },
    check({ name, place, node, shapes, isEffective, isGuard }) {
      if (shapes[place] === undefined)
        return {
          message: `\`${name}\` has no effect on ${NOUNS[place]}.`,
          hint: `Put it on ${Object.keys(shapes)
            .map((one) => NOUNS[one as ExtensionPlace])
            .join(' or ')}.`,
          node,
          key: name,
          ...(isGuard && { severity: 'error' }),
        };
      const onSchema = place === 'property' || place === 'schema';
      return (
        onSchema &&
        !ANYWHERE.has(name) &&
        !isEffective && {
          severity: 'warning',
          message: `\`${name}\` has no effect here, because this is not the schema of a resource.`,
          hint: 'Put it on the schema that `GET /collection/{id}` returns, or on one of its properties.',
          node,
          key: name,
        }
      );
    },
  }),
  rule({
    id: 'extension-value',
    summary: 'The value of an extension has the shape of its definition.',
    advice: 'The hint shows one that is valid.',
    each: (draft) => ownUses(draft).filter(({ hasOwnRule, isGuard }) => !hasOwnRule || isGuard),
    check({ name, place, value, node, examples, isGuard }) {
      const validate = validatorOf(name, place);
      if (!validate || validate(value)) return undefined;
      const faults = telling(validate.errors ?? []).map(describeError);
      return {
        message: `\`${name}\` has an invalid value: ${faults.join('; ')}.`,
        hint: `For example, write \`${examples[place]}\`.`,
        node,
        key: name,
        ...(isGuard && { severity: 'error' }),
      };
    },
  }),
];

const NOUNS: Readonly<Record<ExtensionPlace, string>> = {
  property: 'a property',
  schema: 'an object schema',
  operation: 'an operation',
  parameter: 'a parameter',
  response: 'a response',
  info: '`info`',
  document: 'the document',
};

/** The uses of extensions of the conventions, each with what defines it. */
function ownUses(draft: ContractDraft) {
  const guarded = draft.conventional ? new Set() : couldBeResources(draft);
  return draft.extensions.flatMap((use) => {
    const defined = Object.hasOwn(EXTENSIONS, use.name) ? EXTENSIONS[use.name] : undefined;
    return defined ? [{ ...defined, ...use, isGuard: GUARDS.has(use.name) && guarded.has(use.node) }] : [];
  });
}

const nodesOf = ({ schema }: Pick<ResourceDraft, 'schema'>): readonly object[] => [
  ...schema.flat.nodes,
  ...[...schema.properties.values()].flatMap((property) => property.flat.nodes),
];

/** Of a document that another tool has written. */
function couldBeResources({ document, foreign = [], nearMisses }: ContractDraft): ReadonlySet<object> {
  const near = nearMisses.flatMap(({ node }) => flatSchema(document, node as Schema).nodes);
  return new Set([...foreign.flatMap(nodesOf), ...near]);
}

/** Without what `anyOf` only sums up, and without the alternatives of another type where one of them fits better. */
function telling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const summed = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
  const causes = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const fitting = causes.filter(({ keyword, instancePath }) => keyword !== 'type' || !summed.includes(instancePath));
  return fitting.some(({ keyword }) => keyword !== 'const') ? fitting : causes;
}

function describeError({ instancePath, keyword, message, params }: ErrorObject): string {
  return `${instancePath} ${wordsOf(keyword, params) ?? message}`.trim();
}

function wordsOf(keyword: string, params: ErrorObject['params']): string | undefined {
  switch (keyword) {
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'enum':
      return `must be ${oneOf(params['allowedValues'])}`;
    case 'additionalProperties':
      return `must not have \`${params['additionalProperty']}\``;
    default:
      return undefined;
  }
}

import { type Change as Difference, diff } from '@graphql-inspector/core';
import {
  type ConstDirectiveNode,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isObjectType,
  print,
} from 'graphql';
import { type GraphqlLimits, partsOfCoordinate } from '../../../descriptor/graphql.ts';
import type { Change, Facts, Impact } from './change.ts';
import { sentenceOf } from './change-sentences.ts';
import type { Edition } from './edition.ts';

/** Differences between the schemas as rated by GraphQL Inspector, and between the conventions' directives. */
export async function graphqlChanges(released: Edition, current: Edition): Promise<readonly Change[]> {
  const [old, now] = [released.schema, current.schema];
  if (!old) return [];
  if (!now) {
    return [
      {
        impact: 'major',
        area: 'graphql',
        rule: 'schema-removed',
        subject: 'schema',
        facts: {},
        message: sentenceOf('schema-removed', 'schema', {}),
        location: current.at(''),
      },
    ];
  }
  const outputs = outputEnums(now);
  const differences = (await diff(old, now)).filter(({ type }) => !type.startsWith('DIRECTIVE_USAGE_'));
  return [
    ...differences.map((difference) => rated(difference, outputs, current)),
    ...limitChanges(released, current),
    ...directiveChanges(old, now, current),
  ];
}

function rated(difference: Difference, outputs: ReadonlySet<string>, current: Edition): Change {
  const { type, message, path = '' } = difference;
  const rule = type.toLowerCase().replaceAll('_', '-');
  const location = current.atCoordinate(path);
  const impact = impactOfDifference(difference, outputs);
  const [subject, facts] = [path === '' ? 'schema' : path, factsOf(difference)];
  return { impact, area: 'graphql', rule, subject, facts, message: `${message}.`, location };
}

/** GraphQL Inspector has values in fields of their own: `oldFieldType` and `newFieldType`, `removedUnionMemberTypeName`. */
function factsOf({ type, meta }: Difference): Facts {
  const [, keyword] = /_(TYPE|KIND|DEFAULT)(?:_VALUE)?_CHANGED$/.exec(type) ?? [];
  if (keyword === undefined && !/^(?:UNION_MEMBER|OBJECT_TYPE_INTERFACE)_/.test(type)) return {};
  const fieldOf = (...beginnings: readonly string[]): unknown =>
    Object.entries<unknown>(meta).find(([name]) => beginnings.some((one) => name.startsWith(one)))?.[1];
  return {
    ...(keyword !== undefined && { keyword: keyword.toLowerCase() }),
    from: fieldOf('old', 'removedUnion', 'removedInterface'),
    to: fieldOf('new', 'addedUnion', 'addedInterface'),
  };
}

/**
 * A change that correct clients do not expect is breaking; a new value of an enum that is only used in inputs is not.
 */
function impactOfDifference({ type, path = '', criticality }: Difference, outputs: ReadonlySet<string>): Impact {
  if (criticality.level === 'BREAKING') return 'major';
  if (type === 'ENUM_VALUE_ADDED') return outputs.has(partsOfCoordinate(path).type) ? 'major' : 'minor';
  if (type.endsWith('_DEFAULT_CHANGED') || type.endsWith('_DEFAULT_VALUE_CHANGED')) return 'major';
  if (type === 'UNION_MEMBER_ADDED') return 'major';
  if (/DESCRIPTION|DEPRECATION/.test(type)) return 'patch';
  return 'minor';
}

/** The names of enums that occur in results. */
function outputEnums(schema: GraphQLSchema): ReadonlySet<string> {
  const names = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const named = getNamedType(field.type);
      if (isEnumType(named)) names.add(named.name);
    }
  }
  return names;
}

function limitChanges(released: Edition, current: Edition): readonly Change[] {
  const [old, now] = [released.model.graphql?.descriptor.limits, current.model.graphql?.descriptor.limits];
  if (!old || !now) return [];
  const location = current.atCoordinate('Query');
  return (Object.keys(now) as (keyof GraphqlLimits)[])
    .filter((name) => now[name] !== old[name])
    .map((name) => {
      const facts = { from: old[name], to: now[name] };
      return {
        impact: now[name] < old[name] ? 'major' : 'minor',
        area: 'graphql',
        rule: 'limit-changed',
        subject: name,
        facts,
        message: sentenceOf('limit-changed', name, facts),
        location,
      };
    });
}

/** Rates changes of the directives for access and cost; the arguments are the printed directives of a field. */
const DIRECTIVE_RATINGS: Readonly<Record<string, (old: readonly string[], now: readonly string[]) => Impact>> = {
  // The directives are alternatives, so one more only widens the access.
  auth: (old, now) =>
    now.length === 0 || (old.length > 0 && old.every((one) => now.includes(one))) ? 'minor' : 'major',
  cost: (old, now) => (weightOf(now) > weightOf(old) ? 'major' : 'minor'),
  listSize: (_old, now) => (now.length === 0 ? 'minor' : 'major'),
};

const weightOf = ([directive = '']: readonly string[]): number =>
  Number(/weight: "?([\d.]+)/.exec(directive)?.[1] ?? 1);

function directiveChanges(old: GraphQLSchema, now: GraphQLSchema, current: Edition): readonly Change[] {
  const before = fieldDirectives(old);
  return [...fieldDirectives(now)].flatMap(([coordinate, directives]) => {
    const known = before.get(coordinate);
    if (!known) return [];
    return Object.entries(DIRECTIVE_RATINGS).flatMap(([name, rate]): Change[] => {
      const [was, is] = [textsOf(known, name), textsOf(directives, name)];
      if (was.join() === is.join()) return [];
      const [from, to] = [was, is].map((texts) => (texts.length === 0 ? undefined : texts.join(' ')));
      const message = `\`${coordinate}\` has ${to ?? `no @${name}`}, no longer ${from ?? `no @${name}`}.`;
      const location = current.atCoordinate(coordinate);
      const rule = `${name.toLowerCase()}-changed`;
      const facts = { keyword: `@${name}`, from, to };
      return [{ impact: rate(was, is), area: 'graphql', rule, subject: coordinate, facts, message, location }];
    });
  });
}

function fieldDirectives(schema: GraphQLSchema): ReadonlyMap<string, readonly ConstDirectiveNode[]> {
  const found = new Map<string, readonly ConstDirectiveNode[]>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const { name, astNode } of Object.values(type.getFields()))
      found.set(`${type.name}.${name}`, astNode?.directives ?? []);
  }
  return found;
}

const textsOf = (directives: readonly ConstDirectiveNode[], name: string): readonly string[] =>
  directives
    .filter((one) => one.name.value === name)
    .map(print)
    .sort();

import { some } from '../findings/wording.ts';
import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { CONDITION_WORDS } from '../model/access/read-condition.ts';
import { type ContractDraft, operationsOf, type PropertyDraft, type ResourceDraft } from '../model/draft.ts';
import { offersConditions } from '../model/filters/offered-filters.ts';
import { namingOf } from '../model/name-case.ts';
import { camelCase, kebabCase, lowerFirst, parameterOf, pathSegments, snakeCase } from '../model/naming.ts';
import { sortSchemas } from '../model/resources/list-parameters.ts';
import { isPlural, pluralOf, verbOf } from './english.ts';
import type { Check, Fault } from './rule.ts';

const CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/;
const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const UPPER_SNAKE_CASE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/** Each case of properties, and how a name is written in it. */
const PROPERTY_CASES = {
  camelCase: { pattern: CAMEL_CASE, spell: (name: string) => lowerFirst(camelCase(name)) },
  snake_case: { pattern: SNAKE_CASE, spell: snakeCase },
};

/** A path consists of nouns: the method is the verb. */
export const pathVerb: Check = function* (draft) {
  for (const { path, segment, severity, place } of staticSegments(draft)) {
    const verb = verbOf(segment);
    if (verb === undefined) continue;
    yield {
      severity,
      message: `\`${path}\` contains the verb \`${verb}\`; the method already is the verb.`,
      hint: `Name what is created or changed, as in \`POST /loans/{loanId}/returns\`, or change a property with PATCH.`,
      ...place,
    };
  }
};

/** Path segments are kebab-case. */
export const pathCase: Check = function* (draft) {
  for (const { path, segment, severity, place } of staticSegments(draft)) {
    if (KEBAB_CASE.test(segment)) continue;
    yield {
      severity,
      message: `The segment \`${segment}\` of \`${path}\` is not kebab-case.`,
      hint: `Write \`${kebabCase(segment)}\`.`,
      ...place,
    };
  }
};

/** A collection has a plural name. It is only a warning where grammar is a guess. */
export const pathPlural: Check = function* ({ paths, resources }) {
  for (const { name, path, operations } of resources) {
    const segment = pathSegments(path).at(-1)!;
    if (isPlural(segment)) continue;
    const own = [path, operations.get!.path].flatMap((at) => paths.find((one) => one.path === at) ?? []);
    yield {
      severity: segment === kebabCase(name) ? 'error' : 'warning',
      message: `The collection \`${path}\` does not have a plural name.`,
      hint: `For example, write \`${path.slice(0, -segment.length)}${pluralOf(segment)}\`.`,
      ...own[0]!.place,
    };
  }
};

/** Properties are in the case of the document, camelCase if it names none. The words of conditions are spelled as they are. */
export const propertyCase: Check = function* (draft) {
  const nameCase = namingOf(draft.document).case;
  const { pattern, spell } = PROPERTY_CASES[nameCase];
  const errors = holdersOf(draft);
  const words = offersConditions(draft.resources) ? CONDITION_WORDS : [];
  for (const schema of draft.schemas) {
    const holder = schema['properties'];
    for (const name of isSchemaObject(holder) ? Object.keys(holder) : []) {
      if (pattern.test(name) || words.includes(name)) continue;
      yield {
        severity: errors.has(holder as object) ? 'error' : 'warning',
        message: `The property \`${name}\` is not ${nameCase}.`,
        hint: `Write \`${spell(name)}\`.`,
        node: holder as object,
        key: name,
      };
    }
  }
};

/** Enum values are UPPER_SNAKE_CASE, except those of `sort`, which name properties. */
export const enumCase: Check = function* (draft) {
  const errors = nodesOf(draft);
  const exempt = sortSchemas(draft);
  for (const schema of draft.schemas) {
    const values: readonly unknown[] = Array.isArray(schema['enum']) && !exempt.has(schema) ? schema['enum'] : [];
    const wrong = values.filter((value) => typeof value === 'string' && !UPPER_SNAKE_CASE.test(value)) as string[];
    if (wrong.length === 0) continue;
    const right = wrong.map((value) => snakeCase(value).toUpperCase());
    yield {
      severity: errors.has(schema) ? 'error' : 'warning',
      message: `The enum contains ${some(wrong)}, which ${wrong.length === 1 ? 'is' : 'are'} not UPPER_SNAKE_CASE.`,
      hint: `Write ${some(right)}.`,
      node: schema,
      key: 'enum',
    };
  }
};

/** Every static segment of every path; breaking a rule in a resource's path is an error. */
function* staticSegments({ paths, resources }: ContractDraft) {
  const own = new Set(resources.flatMap((resource) => operationsOf(resource).map(({ path }) => path)));
  for (const { path, place } of paths) {
    const severity: Fault['severity'] = own.has(path) ? 'error' : 'warning';
    for (const segment of pathSegments(path)) {
      if (parameterOf(segment) === undefined) yield { path, segment, severity, place };
    }
  }
}

/** The `properties` objects of resources, inputs and patches. */
function holdersOf({ resources }: ContractDraft): ReadonlySet<object> {
  return new Set(propertiesOf(resources).map(({ holder }) => holder));
}

function nodesOf({ resources }: ContractDraft): ReadonlySet<object> {
  return new Set(propertiesOf(resources).flatMap(({ flat }) => flat.nodes));
}

function propertiesOf(resources: readonly ResourceDraft[]): readonly PropertyDraft[] {
  return resources
    .flatMap(({ schema, input, patch }) => [schema, input, patch])
    .flatMap((schema) => [...(schema?.properties.values() ?? [])]);
}

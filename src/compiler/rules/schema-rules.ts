import { isSafePattern } from 'redos-detector';
import { MAX_OPEN_VALUES } from '../../descriptor/body-values.ts';
import { isHeaderPattern } from '../../descriptor/implied-patterns.ts';
import { bodyCapacity } from '../json-schema/body-values.ts';
import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import type { ContractDraft } from '../model/draft.ts';
import { snakeCase } from '../model/naming.ts';
import { flatSchema, namedSchemas } from '../model/schemas.ts';
import { isLinearPattern } from './linear-pattern.ts';
import { type Check, severityIn } from './rule.ts';

/**
 * A pattern that needs more steps is unsafe. Steps are counted instead of time, so that the result is the same on
 * every machine.
 */
const MAX_STEPS = 20_000;

/** Others' documents have patterns in plenty, and only warnings of them: a second each would delay the server by minutes. */
const MAX_STEPS_OF_ORDINARY = 3_000;

/** Patterns do not backtrack without bound, because a single request could then block the server. */
export const patternSafe: Check = function* (draft) {
  const checked = new Map<string, string | undefined>();
  const maxSteps = draft.conventional ? MAX_STEPS : MAX_STEPS_OF_ORDINARY;
  for (const schema of draft.schemas) {
    for (const { pattern, node, key } of patternsOf(schema)) {
      if (!checked.has(pattern)) checked.set(pattern, patternFault(pattern, maxSteps));
      const fault = checked.get(pattern);
      if (fault === undefined) continue;
      yield {
        severity: severityIn(draft),
        message: `The pattern \`${pattern}\` ${fault}.`,
        hint: 'Anchor it with `^` and `$`, bound its repetitions (`{1,64}`) and avoid repetitions that match the same text.',
        node,
        key,
      };
    }
  }
};

function* patternsOf(schema: Record<string, unknown>) {
  if (typeof schema['pattern'] === 'string') yield { pattern: schema['pattern'], node: schema, key: 'pattern' };
  const named = schema['patternProperties'];
  for (const pattern of isSchemaObject(named) ? Object.keys(named) : [])
    yield { pattern, node: named as object, key: pattern };
}

function patternFault(pattern: string, maxSteps: number): string | undefined {
  // Those that completion declares never backtrack; to prove it takes more steps than that.
  if (isHeaderPattern(pattern)) return undefined;
  try {
    new RegExp(pattern, 'u');
    // To prove that a long pattern is safe takes many steps, though its form may say so at once.
    if (isLinearPattern(pattern)) return undefined;
    const { safe } = isSafePattern(pattern, { unicode: true, maxSteps, timeout: Number.POSITIVE_INFINITY });
    return safe ? undefined : 'can take very long to match some texts';
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`;
  }
}

/** Every branch of a union fixes the value of its discriminator, so that validation and types can distinguish it. */
export const discriminatorConst: Check = function* (draft) {
  for (const schema of draft.schemas) {
    const discriminator = schema['discriminator'];
    const branches = schema['oneOf'] ?? schema['anyOf'];
    if (!isSchemaObject(discriminator) || !Array.isArray(branches)) continue;
    const property = String(discriminator['propertyName']);
    for (const [index, branch] of branches.entries()) {
      if (hasOneValue(draft, branch, property)) continue;
      yield {
        severity: severityIn(draft),
        message: `The branch ${schemaNameOf(branch) === undefined ? index : `\`${schemaNameOf(branch)}\``} of a union does not fix its discriminator \`${property}\`.`,
        hint: `Write \`${property}: { const: ${valueFor(branch, index)} }\` among its properties, and list \`${property}\` in \`required\`.`,
        node: branches,
        key: index,
      };
    }
  }
};

function valueFor(branch: unknown, index: number): string {
  return snakeCase(schemaNameOf(branch) ?? `kind${index}`).toUpperCase();
}

function hasOneValue({ document }: ContractDraft, branch: unknown, name: string): boolean {
  const flat = flatSchema(document, isSchemaObject(branch) ? branch : true);
  const site = flat.properties.get(name);
  if (site === undefined || !flat.required.has(name)) return false;
  const { keywords } = flatSchema(document, ...site.schemas);
  const values = keywords.get('enum')?.value;
  return keywords.has('const') || (Array.isArray(values) && values.length === 1);
}

/** A body is parsed and validated in one step, in which the server does nothing else. */
export const bodyValues: Check = function* ({ document, operations }) {
  for (const operation of operations) {
    for (const media of Object.values(operation.body?.content ?? {})) {
      const values = media.schema === undefined ? 0 : bodyCapacity(document, media.schema);
      if (values <= MAX_OPEN_VALUES || values === Number.POSITIVE_INFINITY) continue;
      yield {
        severity: 'warning',
        message: `A body of \`${operation.method.toUpperCase()} ${operation.path}\` may have ${values.toLocaleString('en')} values, and others wait while it is parsed.`,
        hint: 'Lower the `maxItems` of its lists, so that they are 10,000 at most, or let callers send them in several requests.',
        node: media,
        key: 'schema',
      };
    }
  }
};

/** Object schemas are named, because client generators invent different names for inline ones. */
export const schemaNamed: Check = function* (draft) {
  const { document } = draft;
  const named = new Set<unknown>(Object.values(namedSchemas(document)));
  for (const schema of [...bodySchemas(draft), ...insideOf(named)]) {
    if (named.has(schema.node) || !('properties' in schema.node)) continue;
    yield {
      severity: 'warning',
      message: 'This object schema has no name, so each client generator invents its own.',
      hint: 'Move it to `components.schemas` and refer to it.',
      ...schema.place,
    };
  }
};

interface PlacedSchema {
  readonly node: object;
  readonly place: { readonly node: object; readonly key: string };
}

function* bodySchemas({ operations }: ContractDraft): Iterable<PlacedSchema> {
  for (const { body, responses } of operations) {
    for (const content of [body, ...responses.values()].map((one) => one?.content ?? {}))
      for (const media of Object.values(content))
        if (isSchemaObject(media.schema)) yield { node: media.schema, place: { node: media, key: 'schema' } };
  }
}

/** Inline schemas of properties, and of array items, in named schemas. */
function* insideOf(named: ReadonlySet<unknown>): Iterable<PlacedSchema> {
  for (const schema of named) {
    const properties = isSchemaObject(schema) && isSchemaObject(schema['properties']) ? schema['properties'] : {};
    for (const [name, value] of Object.entries(properties)) {
      const isPagesOwn = name === 'page' && 'data' in properties;
      if (!isSchemaObject(value) || isPagesOwn) continue;
      yield { node: value, place: { node: properties, key: name } };
      if (isSchemaObject(value['items'])) yield { node: value['items'], place: { node: value, key: 'items' } };
    }
  }
}

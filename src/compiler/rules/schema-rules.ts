import { MAX_BODIES_BYTES, MAX_OPEN_VALUES } from '../../descriptor/body-limits.ts';
import { contentOf, kindOf } from '../../descriptor/content.ts';
import { INT64_PATTERN } from '../../descriptor/implied-patterns.ts';
import { readPattern } from '../../descriptor/read-pattern.ts';
import { bodyCapacity, maxBodyBytes } from '../json-schema/body-limits.ts';
import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import type { ContractDraft } from '../model/draft.ts';
import { snakeCase } from '../model/naming.ts';
import { flatSchema, namedSchemas } from '../model/schemas.ts';
import { sentSchemas } from '../read/complete/implied-patterns.ts';
import { defaultsOf, validator } from './defaults.ts';
import { matches, patternFault, unreadable } from './patterns.ts';
import { rule } from './rule.ts';
import { theDraft, theSchemas } from './subjects.ts';

/** What is not a 64-bit integer in digits, though a pattern may well let it pass. */
const REFUSED = ['00', '01', '007', '-0', '-01', '+1', '1.0', '1e3'];

/** A lower and an upper bound, and whether a value may be equal to both. */
const BOUNDS: readonly (readonly [lower: string, upper: string, mayBeEqual: boolean])[] = [
  ['minimum', 'maximum', true],
  ['minimum', 'exclusiveMaximum', false],
  ['exclusiveMinimum', 'maximum', false],
  ['exclusiveMinimum', 'exclusiveMaximum', false],
  ['minLength', 'maxLength', true],
  ['minItems', 'maxItems', true],
  ['minContains', 'maxContains', true],
  ['minProperties', 'maxProperties', true],
];

const ANCHOR =
  'Anchor it with `^` and `$`, bound its repetitions (`{1,64}`) and avoid repetitions that match the same text.';
const HOW_TO_WRITE =
  'Write it as JavaScript reads it with the flag `u` (ECMA-262): `^` and `$` for `\\A` and `\\Z`, `[Aa]` for `(?i)a`.';

export const schemaRules = [
  rule({
    id: 'pattern-safe',
    summary: 'Patterns do not backtrack without bound.',
    advice: 'Anchor them with `^…$` and bound their repetitions. Otherwise one request could stop the server.',
    each: theDraft,
    *check({ schemas, conventional }) {
      const checked = new Map<string, string | undefined>();
      for (const { pattern, node, key } of schemas.flatMap((schema) => [...patternsOf(schema)])) {
        if (!checked.has(pattern)) checked.set(pattern, patternFault(pattern, conventional));
        const fault = checked.get(pattern);
        if (fault !== undefined)
          yield {
            message: `The pattern \`${pattern}\` ${fault}.`,
            hint: readPattern(pattern) && !(conventional && unreadable(pattern) !== undefined) ? ANCHOR : HOW_TO_WRITE,
            node,
            key,
          };
      }
    },
  }),
  rule({
    id: 'int64-pattern',
    summary: 'A pattern of 64-bit integers in requests admits only values that the server accepts.',
    advice:
      'The server refuses a leading zero or plus, and `^\\d{1,19}$` admits `007`. Without a pattern, the published document has the correct one.',
    severity: 'warning',
    each: ({ document, operations }) => sentSchemas(document, operations),
    check(node) {
      const { type, format, pattern } = node;
      if (![type].flat().includes('string') || format !== 'int64') return undefined;
      if (typeof pattern !== 'string' || pattern === INT64_PATTERN) return undefined;
      const text = REFUSED.find((one) => matches(pattern, one));
      return (
        text !== undefined && {
          message: `The pattern \`${pattern}\` of a 64-bit integer lets \`${text}\` pass, which the server refuses.`,
          hint: 'Remove the pattern: the published document has the correct one. Or begin numbers with a digit other than 0.',
          node,
          key: 'pattern',
        }
      );
    },
  }),
  rule({
    id: 'schema-bounds',
    summary: 'The bounds of a schema leave a value between them.',
    advice: '`minimum: 10` with `maximum: 5` admits no value, so every request would be refused.',
    each: theSchemas,
    *check(node) {
      for (const [lower, upper, mayBeEqual] of BOUNDS) {
        const [least, most] = [node[lower], node[upper]];
        if (typeof least !== 'number' || typeof most !== 'number') continue;
        if (mayBeEqual ? least <= most : least < most) continue;
        yield {
          message: `Nothing meets both \`${lower}: ${least}\` and \`${upper}: ${most}\`.`,
          hint: least > most ? 'Exchange the two, or correct the wrong one.' : 'Leave room between them.',
          node,
          key: lower,
        };
      }
    },
  }),
  rule({
    id: 'body-values',
    summary: 'A request body has at most 10,000 values if its schema bounds them.',
    advice:
      'Parsing and validating a larger one may take more than 20 ms, during which the server does nothing else. Lower `maxItems`.',
    severity: 'warning',
    each: requestBodies,
    check({ media, request }, { document }) {
      const values = media.schema === undefined ? 0 : bodyCapacity(document, media.schema);
      return (
        values > MAX_OPEN_VALUES &&
        values !== Number.POSITIVE_INFINITY && {
          message: `A body of \`${request}\` may have ${values.toLocaleString('en')} values, and others wait while it is parsed.`,
          hint: 'Lower the `maxItems` of its lists, so that they are 10,000 at most, or let callers send them in several requests.',
          node: media,
          key: 'schema',
        }
      );
    },
  }),
  rule({
    id: 'body-bytes',
    summary: 'A request body has at most 64 MiB.',
    advice:
      'All bodies that a server receives at the same time share 64 MiB. Lower the `maxLength` of a binary body or of the parts of a form. In a document that does not follow the conventions, `BODY_LIMIT_BYTES` replaces a larger limit.',
    each: requestBodies,
    check({ media, type, request }, { document }) {
      const bytes = maxBodyBytes(document, kindOf(document, type, media), media.schema ?? true) ?? 0;
      return (
        bytes > MAX_BODIES_BYTES && {
          message: `A body of \`${request}\` may have ${bytes.toLocaleString('en')} bytes, more than the ${MAX_BODIES_BYTES.toLocaleString('en')} of all bodies of a server.`,
          hint: 'Lower `maxLength`. Callers can send larger contents in several requests.',
          node: media,
          key: 'schema',
        }
      );
    },
  }),
  rule({
    id: 'enum-duplicate',
    summary: 'An enum does not repeat a value.',
    advice: 'The second is redundant, or another value misspelled (JSON Schema Validation, 6.1.2).',
    each: theSchemas,
    *check({ enum: values }) {
      if (!Array.isArray(values)) return;
      const texts = values.map((value) => JSON.stringify(value));
      for (const [index, text] of texts.entries())
        if (texts.indexOf(text) !== index)
          yield {
            message: `The value ${text} is in this \`enum\` more than once.`,
            hint: 'Remove it here, or write the intended value.',
            node: values,
            key: index,
          };
    },
  }),
  rule({
    id: 'default-value',
    summary: 'A default is a valid value of its schema.',
    advice:
      'It is stored, or replaces an omitted value. With `maximum: 99, default: 1000`, requests would be refused for a value that they do not contain.',
    each: theDraft,
    *check(draft) {
      const faultOf = validator(draft.document);
      for (const { node, value, schemas } of defaultsOf(draft)) {
        const fault = schemas.map((schema) => faultOf(schema, value)).find((one) => one !== undefined);
        if (fault !== undefined)
          yield {
            message: `The default \`${JSON.stringify(value)}\` is not a value of its schema: ${fault}.`,
            hint: 'Write a value that the schema allows, or leave the default out.',
            node,
            key: 'default',
          };
      }
    },
  }),
  rule({
    id: 'discriminator-const',
    summary: 'Every branch of a union fixes the value of its discriminator.',
    advice: 'Require the property there, and give it a `const`.',
    each: theSchemas,
    *check({ discriminator, oneOf, anyOf }, draft) {
      const branches = oneOf ?? anyOf;
      // The mapping of a parent fixes the values of its children.
      if (!isSchemaObject(discriminator) || !Array.isArray(branches) || 'x-default-mapping' in discriminator) return;
      const property = String(discriminator['propertyName']);
      const mapping = Object.entries(Object(discriminator['mapping']) as Record<string, unknown>);
      for (const [index, branch] of branches.entries()) {
        const name = schemaNameOf(branch);
        if (hasOneValue(draft, branch, property)) continue;
        const [value = snakeCase(name ?? `kind${index}`).toUpperCase()] =
          mapping.find(([, to]) => String(to).endsWith(`/${name}`)) ?? [];
        yield {
          message: `The branch ${name === undefined ? index : `\`${name}\``} of a union does not fix its discriminator \`${property}\`.`,
          hint: `Write \`${property}: { const: ${value} }\` among its properties, and list \`${property}\` in \`required\`.`,
          node: branches,
          key: index,
        };
      }
    },
  }),
  rule({
    id: 'schema-named',
    summary: 'Object schemas have names.',
    advice: 'Each client generator would invent another one. Move the schema to `components.schemas`.',
    severity: 'warning',
    each: theDraft,
    *check(draft) {
      const named = new Set<unknown>(Object.values(namedSchemas(draft.document)));
      for (const schema of [...bodySchemas(draft), ...insideOf(named)])
        if (!named.has(schema.node) && 'properties' in schema.node)
          yield {
            message: 'This object schema has no name, so each client generator invents its own.',
            hint: 'Move it to `components.schemas` and refer to it.',
            ...schema.place,
          };
    },
  }),
];

/** The bodies of requests, by their media types. */
function requestBodies({ document, operations }: ContractDraft) {
  return operations.flatMap(({ method, path, body }) =>
    Object.entries(contentOf(document, body?.content)).map(([type, media]) => {
      return { type, media, request: `${method.toUpperCase()} ${path}` };
    }),
  );
}

function* patternsOf(schema: Record<string, unknown>) {
  if (typeof schema['pattern'] === 'string') yield { pattern: schema['pattern'], node: schema, key: 'pattern' };
  const named = schema['patternProperties'];
  for (const pattern of isSchemaObject(named) ? Object.keys(named) : [])
    yield { pattern, node: named as object, key: pattern };
}

function hasOneValue({ document }: ContractDraft, branch: unknown, name: string): boolean {
  const flat = flatSchema(document, isSchemaObject(branch) ? branch : true);
  const site = flat.properties.get(name);
  if (site === undefined || !flat.required.has(name)) return false;
  const { keywords } = flatSchema(document, ...site.schemas);
  const values = keywords.get('enum')?.value;
  return keywords.has('const') || (Array.isArray(values) && values.length === 1);
}

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

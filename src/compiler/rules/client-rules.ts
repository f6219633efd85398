import { lookUp } from '../../descriptor/look-up.ts';
import { alikeIn, inWords, unspeakableIn, unwritableIn } from '../model/alike-names.ts';
import type { ContractDraft } from '../model/draft.ts';
import { namedSchemas } from '../model/schemas.ts';
import { isNode } from '../read/grammar.ts';
import { rule } from './rule.ts';
import { theSchemas } from './subjects.ts';

/** Names that stand beside each other, each at its place. */
interface Names {
  readonly kind: string;
  readonly names: readonly { readonly name: string; readonly node: object; readonly key?: string | number }[];
}

export const clientRules = [
  rule({
    id: 'client-names',
    summary: 'Names differ by more than case or signs.',
    advice:
      'Some languages spell `get_thing` and `getThing` alike. Clients in Python, Go and Java distinguish them by words, such as `get_underscore_thing`. TypeScript keeps the names.',
    severity: 'warning',
    each: namesBesideEachOther,
    *check({ kind, names }) {
      const places = new Map(names.map(({ name, ...place }) => [name, place]));
      for (const [name, other] of alikeIn(names.map((one) => one.name))) {
        yield {
          message: `The ${kind} \`${name}\` differs from \`${other}\` by case or signs alone: clients call it after \`${inWords(name)}\`.`,
          hint: 'Give one of the two a name with other letters, if you may.',
          ...lookUp(places, name),
        };
      }
    },
  }),
  rule({
    id: 'client-field',
    summary: 'Every language can express each property as a field, and each value of an enum.',
    advice:
      'Go cannot express names with quotes, control characters, or only `-`, or values of several lines. Its client omits the operations that use one, and `npm run clients -- --strict` exits with 1.',
    severity: 'warning',
    each: theSchemas,
    *check(schema) {
      for (const name of unspeakableIn(schema))
        yield {
          message: `No field of Go can be called ${JSON.stringify(name)}: clients in Go leave out the operations that lead to it.`,
          hint: 'Rename the property, if you may, or make the client of Go without these operations.',
          node: schema['properties'] as object,
          key: name,
        };
      for (const value of unwritableIn(schema))
        yield {
          message: `No constant of Go can be generated for ${JSON.stringify(value)}: clients in Go leave out the operations that lead to it.`,
          hint: 'Use a value of one line, if you may, or make the client of Go without these operations.',
          node: schema['enum'] as object,
          key: (schema['enum'] as readonly unknown[]).indexOf(value),
        };
    },
  }),
];

function* namesBesideEachOther(draft: ContractDraft): Iterable<Names> {
  const { document, operations } = draft;
  yield {
    kind: 'operationId',
    names: operations.map(({ operationId, node }) => ({ name: operationId, node, key: 'operationId' })),
  };
  const schemas = namedSchemas(document);
  yield { kind: 'schema', names: Object.keys(schemas).map((name) => ({ name, node: schemas, key: name })) };
  for (const { parameters } of operations)
    yield { kind: 'parameter', names: parameters.map((node) => ({ name: node.name, node, key: 'name' })) };
  for (const { properties, enum: values } of theSchemas(draft)) {
    if (isNode(properties))
      yield {
        kind: 'property',
        names: Object.keys(properties).map((name) => ({ name, node: properties, key: name })),
      };
    if (Array.isArray(values))
      yield {
        kind: 'value',
        names: values.flatMap((name, key) =>
          typeof name === 'string' && !isDescending(name, values) ? [{ name, node: values, key }] : [],
        ),
      };
  }
}

/** A key of `sort`, `-price` beside `price`, which clients name by its order. */
const isDescending = (name: string, values: readonly unknown[]): boolean =>
  /^-[a-z]/i.test(name) && values.includes(name.slice(1));

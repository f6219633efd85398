// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are meant to look like templates of other files.
import { readFile } from 'node:fs/promises';
import { parse as parseSdl, print, visit } from 'graphql';
import { parse, stringify } from 'yaml';

/** Ends comments and strings of every language that something is written in, as code that is found by its name. */
const HOSTILE_TEXT =
  'A */ HOSTILE1(); /* ` HOSTILE2 ${HOSTILE3} """ HOSTILE4\n\n""" \\u002a\\u002f HOSTILE5; \\" {{HOSTILE6}} {% endraw %} {% HOSTILE7 %} ' +
  "<script>HOSTILE8</script> ' HOSTILE9 \r\nHOSTILE10 \u2028HOSTILE11; ends \\";

/** Files of the cats' contract, in which each description is hostile. */
export async function hostileCats(): Promise<Readonly<Record<string, string>>> {
  const document = parse(await readFile('test/fixtures/cats/openapi.yaml', 'utf8'));
  describe(document);
  Object.assign(document.info, {
    title: 'Cats */ """ ` ${x} \\u002a\\u002f',
    contact: { name: 'A */ """ <b> " ${x}, of {% endraw %}', email: 'a@example.com' },
  });
  const description = { kind: 'StringValue', value: HOSTILE_TEXT };
  const sdl = visit(parseSdl(await readFile('test/fixtures/cats/cats.graphql', 'utf8')), {
    enter: (node) =>
      /^(?:Object|Input|Enum|Scalar|Field).*Definition$/.test(node.kind) ? { ...node, description } : undefined,
  });
  return { 'openapi.yaml': stringify(document), 'cats.graphql': print(sdl) };
}

function describe(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Record<string, unknown>;
  for (const name of ['description', 'summary']) if (typeof node[name] === 'string') node[name] = HOSTILE_TEXT;
  if (typeof node['type'] === 'string' && !('in' in node)) node['description'] = HOSTILE_TEXT;
  Object.values(node).forEach(describe);
}

/** Names that are code, or mean something else, in what is written of a contract. */
export const HOSTILE_NAMES: Readonly<Record<string, string>> = {
  'single quotes': "'] = HOSTILE(); //",
  'double quotes': '" HOSTILE="',
  backticks: '` HOSTILE(); `',
  'the end of a comment': '*/ HOSTILE(); /*',
  'a template': '${HOSTILE}',
  'a line break': 'a\nHOSTILE();',
  'the end of a script': '</script><HOSTILE>',
  'a comment of HTML': '<!-- HOSTILE -->',
  'a line separator': 'a\u2028HOSTILE();',
  'a paragraph separator': 'a\u2029HOSTILE();',
  'an escape': '\\u0027] = HOSTILE; \\',
  'a word of templates': '{{HOSTILE}} {% HOSTILE %}',
  'a link': '[HOSTILE](javascript:HOSTILE)',
  'a table': 'a | HOSTILE |',
  'the prototype': '__proto__',
  'a constructor': 'constructor',
  'a method of objects': 'hasOwnProperty',
  'a reserved word': 'class',
  'a name of generated code': 'call',
  'signs alone': '+-.',
  blank: ' ',
  emoji: '😀',
};

/** Schemas that are called as something else is. */
const SCHEMAS = ['constructor', '__proto__', 'toString', 'Array', 'Promise', 'Record', 'string', 'class', 'Readable'];

/** A document with operations, tags, parameters, properties and values of these names; `{name}` in paths that allow it. */
export function hostileNames(
  names: readonly string[] = Object.values(HOSTILE_NAMES),
): Readonly<Record<string, string>> {
  const schemas = Object.fromEntries([
    ...SCHEMAS.map((name) => [name, { type: 'object', properties: { of: { type: 'string' } } }] as const),
    ...names.map((name, at) => [`Named${at}`, schemaOf(name, SCHEMAS[at % SCHEMAS.length]!)] as const),
  ]);
  const paths = Object.fromEntries(
    names.map((name, at) => {
      const ref = { $ref: `#/components/schemas/Named${at}` };
      const content = { 'application/json': { schema: ref } };
      const path = /^[^\s?#{}\\/%<>[\]|"`^]+$|\*\//.test(name) ? `/${at}/a*/${at}` : `/${at}`;
      const parameters = [
        { name, in: 'query', description: name, schema: { type: 'string', enum: [name, 'other'] } },
        { name: `by${at}`, in: 'query', schema: { type: 'object', properties: { [name]: { type: 'string' } } } },
      ];
      const operation = { operationId: `${name}${at}`, tags: [name], summary: name, description: name, parameters };
      const responses = { 200: { description: name, content } };
      const plain = { operationId: `plain${at}`, responses };
      return [path, { get: plain, post: { ...operation, requestBody: { required: true, content }, responses } }];
    }),
  );
  const info = { title: 'Hostile', version: '1.0.0' };
  return { 'openapi.json': JSON.stringify({ openapi: '3.1.0', info, paths, components: { schemas } }) };
}

const schemaOf = (name: string, other: string): object => ({
  type: 'object',
  description: name,
  required: [name],
  properties: Object.fromEntries([
    [name, { type: 'string', description: name, enum: [name, 'other'] }],
    ['inside', { type: 'object', properties: Object.fromEntries([[name, { type: 'integer' }]]) }],
    ['other', { $ref: `#/components/schemas/${other}` }],
  ]),
});

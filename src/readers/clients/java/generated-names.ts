import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lookUp } from '../../../descriptor/look-up.ts';
import { writeText } from '../common/layer.ts';

export interface GeneratedParameter {
  readonly place: (typeof PLACES)[number];
  /** As in the document: `price[lt]`, `If-Match`. */
  readonly name: string;
  /** What Java calls it: `priceLt`. */
  readonly javaName: string;
  readonly type: string;
  readonly isRequired: boolean;
}

export interface GeneratedOperation {
  /** `ProductsApi`. */
  readonly api: string;
  readonly method: string;
  readonly path: string;
  /** The class of its parameters, inside that of the API: `APIListProductsRequest`. */
  readonly request: string;
  /** Empty: nothing is answered. */
  readonly answer: string;
  readonly isDeprecated: boolean;
  readonly summary: string;
  readonly parameters: readonly GeneratedParameter[];
}

export interface GeneratedProperty {
  readonly getter: string;
  readonly type: string;
}

/** What the generator has called the things of a document. */
export interface GeneratedNames {
  /** By `operationId`. */
  readonly operations: ReadonlyMap<string, GeneratedOperation>;
  /** The properties of each class, by their names in the document. */
  readonly models: ReadonlyMap<string, ReadonlyMap<string, GeneratedProperty>>;
  /** Full names of classes by their own names. */
  readonly classes: ReadonlyMap<string, string>;
}

const FILE = 'names.txt';
const TAB = '\t';

/** Where parameters are sent, in the order in which a call is given them. */
export const PLACES = ['path', 'query', 'header', 'cookie', 'body', 'form'] as const;
const placeTemplate = PLACES.map((place) => {
  const flag = `is${place.charAt(0).toUpperCase()}${place.slice(1)}Param`;
  return `{{#${flag}}}${place}{{/${flag}}}`;
}).join('');

/** A line for each name, in Mustache, which the generator fills in. */
const TEMPLATE = `{{#apiInfo}}{{#apis}}{{#imports}}import${TAB}{{{import}}}
{{/imports}}{{#operations}}{{#operation}}import${TAB}{{{package}}}.{{{classname}}}
${[
  'operation',
  '{{{operationIdOriginal}}}',
  '{{{classname}}}',
  '{{{operationId}}}',
  '{{{path}}}',
  'API{{#lambda.titlecase}}{{operationId}}{{/lambda.titlecase}}Request',
  '{{{returnType}}}',
  '{{#isDeprecated}}true{{/isDeprecated}}',
  '{{{summary}}}',
].join(TAB)}
{{#allParams}}${['parameter', placeTemplate, '{{{baseName}}}', '{{{paramName}}}', '{{{dataType}}}', '{{#required}}true{{/required}}'].join(TAB)}
{{/allParams}}{{/operation}}{{/operations}}{{/apis}}{{/apiInfo}}{{#models}}{{#model}}model${TAB}{{{classname}}}
{{#allVars}}${['property', '{{{baseName}}}', '{{{getter}}}', '{{{datatypeWithEnum}}}'].join(TAB)}
{{/allVars}}{{/model}}{{/models}}`;

/** Has the generator write its names: adds a template of ours to its own; the path of its configuration, with its options. */
export async function namesTemplate(folder: string, options: Readonly<Record<string, unknown>>): Promise<string> {
  const templateDir = join(folder, 'templates');
  const config = join(folder, 'config.json');
  const file = { templateType: 'SupportingFiles', folder: '', destinationFilename: FILE };
  await writeText(join(templateDir, 'names.mustache'), TEMPLATE);
  await writeText(config, JSON.stringify({ templateDir, ...options, files: { 'names.mustache': file } }));
  return config;
}

/** Reads what the generator has written into the folder of a client, and removes it. */
export async function generatedNames(folder: string): Promise<GeneratedNames> {
  const path = join(folder, FILE);
  const text = await readFile(path, 'utf8');
  await rm(path);
  const operations = new Map<string, GeneratedOperation & { parameters: GeneratedParameter[] }>();
  const models = new Map<string, Map<string, GeneratedProperty>>();
  const classes = new Map<string, string>();
  let operation = '';
  let model = '';
  for (const [kind, first = '', second = '', third = '', fourth = '', fifth = '', ...rest] of linesOf(text))
    switch (kind) {
      case 'import':
        classes.set(first.slice(first.lastIndexOf('.') + 1), first);
        break;
      case 'operation': {
        const [answer = '', deprecated, summary = ''] = rest;
        const named = { api: second, method: third, path: fourth, request: fifth, answer, summary };
        operations.set(first, { ...named, isDeprecated: deprecated === 'true', parameters: [] });
        operation = first;
        break;
      }
      case 'parameter': {
        const place = PLACES.find((one) => one === first);
        const parameter = { name: second, javaName: third, type: fourth, isRequired: fifth === 'true' };
        if (place) lookUp(operations, operation).parameters.push({ place, ...parameter });
        break;
      }
      case 'model':
        models.set(first, new Map());
        model = first;
        break;
      case 'property':
        lookUp(models, model).set(first, { getter: second, type: third });
    }
  return { operations, models, classes };
}

const linesOf = (text: string): readonly string[][] => text.split('\n').map((line) => line.split(TAB));

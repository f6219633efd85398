import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { exampleOf } from '../../../compiler/json-schema/index.ts';
import { namedSchemas } from '../../../compiler/model/index.ts';
import type { Schema } from '../../../descriptor/document.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { link } from '../layout/links.ts';
import { code, firstSentence, inline, items, json, lines, plain, table, withoutMarkup } from '../layout/markdown.ts';
import type { Page } from '../layout/page.ts';
import { defaultOf, typeLink } from './field-text.ts';
import type { Reference } from './reference.ts';

/** A type of one protocol or of both: two that share a name are one thing. */
interface Named {
  readonly name: string;
  readonly schema: Schema | undefined;
  readonly type: GraphQLNamedType | undefined;
}

/** A page for each schema that has a name, and for each type of GraphQL. */
export function typePages(reference: Reference): readonly Page[] {
  const schemas = namedSchemas(reference.model.document);
  const types = new Map(reference.graphqlTypes.map((type) => [type.name, type]));
  const names = [...new Set([...Object.keys(schemas), ...types.keys()])];
  const uses = new Uses(reference);
  return names.map((name) => pageOf(reference, { name, schema: schemas[name], type: types.get(name) }, uses));
}

const describedBy = (schema: Schema | undefined): string =>
  typeof schema === 'object' ? String(schema['description'] ?? '') : '';

function pageOf(reference: Reference, named: Named, uses: Uses): Page {
  const { name, schema, type } = named;
  const description = describedBy(schema) || type?.description || '';
  const resource = reference.model.resources.find(({ schemas }) => Object.values(schemas).includes(name));
  return {
    path: reference.places.type(name),
    title: name,
    description: withoutMarkup(firstSentence(description)) || `The type ${name}.`,
    kind: 'type',
    words: [...new Set([name, ...propertyNames(named)])],
    ...(resource && { group: { title: resource.name, path: reference.places.resource(resource.name) } }),
    text: () => textOf(reference, named, resource, uses),
  };
}

const propertyNames = ({ schema, type }: Named): readonly string[] => [
  ...Object.keys((typeof schema === 'object' && (schema['properties'] as object | undefined)) || {}),
  ...(isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : []),
];

function textOf(
  reference: Reference,
  { name, schema, type }: Named,
  resource: ResourceDescriptor | undefined,
  uses: Uses,
): string {
  const { words, places, model, answers } = reference;
  const isOwn = resource?.schemas.resource === name;
  const more = (property: string): readonly string[] => (isOwn ? kept(resource, property, reference) : []);
  const description = describedBy(schema) || type?.description || '';
  const example = isOwn ? answers.row(resource) : schema && exampleOf(model.document, schema as object);
  return lines(
    `# ${plain(name)}`,
    description,
    resource && `Of the resource ${link(code(resource.name), places.resource(resource.name))}.`,
    ...(schema === undefined ? [] : ['## REST', words.whole(schema, more), '### Example', json(example)]),
    ...(type === undefined ? [] : ['## GraphQL', ...graphqlText(reference, type, description)]),
    uses.of(name),
  );
}

/** What is kept of a property beside what its schema says. */
function kept(
  { properties, list, unique }: ResourceDescriptor,
  name: string,
  { places, model }: Reference,
): readonly string[] {
  const property = properties.find((one) => one.name === name);
  const filter = list?.filters.find((one) => one.property === name);
  const isSorted = list?.sorts.some((one) => one.property === name);
  return [
    ...(property?.immutable ? ['never changes'] : []),
    ...(unique.some((names) => names.length === 1 && names[0] === name) ? ['unique'] : []),
    ...(property ? referred(property, model.resources, places) : []),
    ...(filter ? [`filter: ${filter.operators.map(code).join(', ')}`] : []),
    ...(isSorted ? ['sorts lists'] : []),
  ];
}

function referred(
  { references }: PropertyDescriptor,
  resources: readonly ResourceDescriptor[],
  places: Reference['places'],
): readonly string[] {
  const to = resources.find(({ key }) => key === references?.resource);
  return to ? [`the id of ${link(code(to.name), places.resource(to.name))}`] : [];
}

function graphqlText(reference: Reference, type: GraphQLNamedType, description: string): readonly string[] {
  const own = type.description && type.description !== description ? [type.description] : [];
  return [...own, membersOf(reference, type)];
}

function membersOf(reference: Reference, type: GraphQLNamedType): string {
  if (isEnumType(type))
    return table(
      ['Value', 'Meaning'],
      type.getValues().map((value) => [code(value.name), aboutMember(value)]),
    );
  if (isUnionType(type)) return lines('One of these:', items(type.getTypes().map((one) => typeLink(reference, one))));
  if (!isObjectType(type) && !isInputObjectType(type) && !isInterfaceType(type)) return 'A scalar.';
  const fields: readonly (GraphQLField<unknown, unknown> | GraphQLInputField)[] = Object.values(type.getFields());
  return table(
    ['Field', 'Type', 'Rules', 'Meaning'],
    fields.map((field) => [
      code(field.name),
      typeLink(reference, field.type),
      ('args' in field ? field.args.map((one) => argumentText(reference, one)) : defaultOf(field)).join('; '),
      aboutMember(field),
    ]),
  );
}

type Member = Pick<GraphQLInputField, 'description' | 'deprecationReason'>;

const aboutMember = ({ description, deprecationReason }: Member): string =>
  inline(`${deprecationReason ? `**Deprecated.** ${deprecationReason} ` : ''}${description ?? ''}`);

const argumentText = (reference: Reference, argument: GraphQLField<unknown, unknown>['args'][number]): string =>
  [`takes ${code(argument.name)}, ${typeLink(reference, argument.type)}`, ...defaultOf(argument)].join(', ');

/** How many operations a page names. */
const MAX_USES = 40;

/** Which operations take or answer a type of REST. */
class Uses {
  readonly #reference: Reference;
  #found: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(reference: Reference) {
    this.#reference = reference;
  }

  of(name: string): string {
    this.#found ??= this.#search();
    const links = this.#found.get(name) ?? [];
    return links.length === 0 ? '' : lines('## Used by', items(links.slice(0, MAX_USES)));
  }

  #search(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    for (const { operationId, body, responses } of this.#reference.model.operations) {
      const text = JSON.stringify([body, [...responses.values()]]);
      const names = new Set([...text.matchAll(/(?<="#\/components\/schemas\/)[^"]+(?=")/g)].map(([name]) => name));
      for (const name of names) {
        const own = found.get(name) ?? [];
        own.push(link(code(operationId), this.#reference.places.operation(operationId)));
        found.set(name, own);
      }
    }
    return found;
  }
}

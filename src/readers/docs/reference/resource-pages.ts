import { schemaNamed } from '../../../compiler/model/index.ts';
import { conventionNames } from '../../../descriptor/convention-names.ts';
import { holdsId, type PropertyDescriptor, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { ruleSentences } from '../../../descriptor/row-access-words.ts';
import { link } from '../layout/links.ts';
import { block, code, firstSentence, items, lines, plain, table, withoutMarkup } from '../layout/markdown.ts';
import type { NavLink, Page } from '../layout/page.ts';
import { needed } from './access-words.ts';
import { joinedListsOf, listOf } from './lists.ts';
import type { Reference } from './reference.ts';

/** How resources refer to each other, and a page for each. */
export function resourcePages(reference: Reference): readonly Page[] {
  const { resources } = reference.model;
  return [overview(reference), ...resources.map((resource) => pageOf(reference, resource))];
}

function overview({ model: { resources }, places }: Reference): Page {
  const rows = resources.map(({ name, path, actions }) => [
    link(code(name), places.resource(name)),
    code(path),
    Object.keys(actions).join(', '),
  ]);
  return {
    path: 'docs/resources.html',
    title: 'Resources',
    description: 'What there is, and how it refers to each other.',
    kind: 'page',
    text: () =>
      resources.length === 0
        ? '# Resources\n\nThis API has operations, but no resources that follow the conventions.\n'
        : lines(
            '# Resources',
            table(['Resource', 'Path', 'Actions'], rows),
            '## References',
            `The crow's foot is at the resource that refers, the single line at the one it refers to.`,
            resources.length <= MAX_DRAWN && block('mermaid', resourceMap(resources)),
            referencesOf(resources),
          ),
  };
}

/** More resources make a diagram that nobody reads. */
const MAX_DRAWN = 40;

/** An entity relationship diagram (Mermaid). */
function resourceMap(resources: readonly ResourceDescriptor[]): string {
  const lines = edgesOf(resources).map(({ from, to, property }) => {
    const one = property.nullable || !property.required ? '|o' : '||';
    return `  ${to.name} ${one}--o{ ${from.name} : ${property.name}`;
  });
  return ['erDiagram', ...resources.map(entityOf), ...lines].join('\n');
}

/** An entity with the properties by which others find it, and it finds others. */
function entityOf({ name, properties, unique }: ResourceDescriptor): string {
  const keys = properties.filter((property) => {
    const isUnique = unique.some((names) => names.length === 1 && names[0] === property.name);
    return holdsId(property) || isUnique;
  });
  const rows = keys.map(({ name: key, type, references }) => {
    const role = key === 'id' ? ' PK' : references ? ' FK' : ' UK';
    return `    ${type.replace('-', '_')} ${key}${role}`;
  });
  return `  ${name} {\n${rows.join('\n')}\n  }`;
}

interface Edge {
  readonly from: ResourceDescriptor;
  readonly to: ResourceDescriptor;
  readonly property: PropertyDescriptor;
}

function edgesOf(resources: readonly ResourceDescriptor[]): readonly Edge[] {
  return resources.flatMap((from) =>
    from.properties.flatMap((property) => {
      const to = resources.find(({ key }) => key === property.references?.resource);
      return to ? [{ from, to, property }] : [];
    }),
  );
}

const ON_DELETE = {
  restrict: 'the deletion is refused (409)',
  cascade: 'the referring resource is deleted, too',
  'set-null': 'the reference becomes null',
} as const;

function referencesOf(resources: readonly ResourceDescriptor[]): string {
  const rows = edgesOf(resources).map(({ from, to, property }) => [
    code(`${from.name}.${property.name}`),
    code(to.name) + (property.references!.allowsHidden ? ', of any caller' : ''),
    ON_DELETE[property.references!.onDelete],
  ]);
  return rows.length === 0 ? '' : table(['Reference', 'To', 'When the target is deleted'], rows);
}

function pageOf(reference: Reference, resource: ResourceDescriptor): Page {
  const { name, path, schemas } = resource;
  const about = descriptionOf(reference, schemas.resource);
  const group: NavLink = { title: name, path: reference.places.resource(name) };
  return {
    path: group.path,
    title: name,
    description: withoutMarkup(firstSentence(about)) || `The resource at ${path}.`,
    kind: 'resource',
    words: [path, resource.key],
    group,
    text: () => textOf(reference, resource, about),
  };
}

const descriptionOf = ({ model }: Reference, schema: string): string =>
  String((schemaNamed(model.document, schema) as { readonly description?: unknown } | undefined)?.description ?? '');

function textOf(reference: Reference, resource: ResourceDescriptor, about: string): string {
  const { model, places } = reference;
  const { name, path, actions, properties, list, schemas } = resource;
  const operations = Object.entries(actions).map(([action, { operationId, access }]) => {
    const fields = reference.fieldsOf(operationId).map(({ field }) => code(field.name));
    const operation = operationWithId(model.operations, operationId);
    return [
      action,
      link(code(operationId), places.operation(operationId)),
      code(`${operation.method.toUpperCase()} ${operation.path}`),
      fields.join(', ') || 'none',
      needed(access),
    ];
  });
  const rules = [rulesOf(resource, model.resources, about), joinedListsOf(resource, model)]
    .filter(Boolean)
    .join('\n\n');
  const events = reference.fieldsAlone.filter((root) => reference.resourceOfField(root)?.key === resource.key);
  const type = places.typeNamed(schemas.resource);
  return lines(
    `# ${plain(name)}`,
    about,
    `At ${code(path)}; its properties are those of ${type === undefined ? code(schemas.resource) : link(code(schemas.resource), type)}.`,
    '## Operations',
    table(['Action', 'Operation', 'REST', 'GraphQL', 'Who may'], operations),
    events.length > 0 && '## Events',
    items(events.map(({ field }) => link(code(field.name), places.field(field.name)))),
    rules && lines('## Rules', rules),
    list && lines('## Lists', listOf(list, conventionNames(resource.nameCase)), ownWords(resource)),
    ...properties.map((property) => statesOf(reference, property)),
  );
}

/** How callers find what is theirs. */
function ownWords({ owner, list, path }: ResourceDescriptor): string {
  const filter =
    owner && list?.filters.find(({ property, shape }) => property === owner.property && shape !== 'object');
  if (!filter) return '';
  return `One's own: ${code(`GET ${path}?${filter.parameter}=…`)}, with the ${code('sub')} of the token.`;
}

/** `about`: what its description says of it already. */
function rulesOf(resource: ResourceDescriptor, resources: readonly ResourceDescriptor[], about: string): string {
  const { parent, unique, properties } = resource;
  const named = (test: (property: PropertyDescriptor) => boolean) =>
    properties
      .filter(test)
      .map(({ name }) => code(name))
      .join(', ');
  const immutable = named((property) => property.immutable === true);
  const server = named(({ origin }) => origin === 'server');
  return items([
    parent &&
      `Belongs to ${code(resources.find(({ key }) => key === parent.resource)?.name ?? parent.resource)}, by ${code(parent.property)}.`,
    ...ruleSentences(resource, resources).filter((sentence) => !about.includes(sentence)),
    ...unique.map((names) => `Unique: ${names.map(code).join(' and ')}.`),
    immutable && `Immutable after creation: ${immutable}.`,
    server && `Set by the server: ${server}.`,
  ]);
}

/** A state machine as a diagram and as a table. */
function statesOf({ places }: Reference, { name, transitions, initial }: PropertyDescriptor): string {
  if (!transitions) return '';
  const states = Object.entries(transitions);
  const arrows = states.flatMap(([from, targets]) => targets.map((to) => `  ${from} --> ${to}`));
  const ends = states.filter(([, targets]) => targets.length === 0).map(([state]) => `  ${state} --> [*]`);
  const rows = states.map(([from, targets]) => [
    code(from),
    targets.map(code).join(', ') || 'none: this state is final',
  ]);
  return lines(
    `## States of ${code(name)}`,
    block('mermaid', ['stateDiagram-v2', `  [*] --> ${String(initial)}`, ...arrows, ...ends].join('\n')),
    table(['From', 'To'], rows),
    `Any other transition is refused with ${link(code('ILLEGAL_TRANSITION'), places.error('ILLEGAL_TRANSITION'))}.`,
  );
}

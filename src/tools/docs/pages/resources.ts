import type { ContractModel } from '../../../compiler/model/model.ts';
import { conventionNames } from '../../../descriptor/convention-names.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { ruleSentences } from '../../../descriptor/row-access-words.ts';
import { code, table } from '../layout/markdown.ts';
import { markdownPage, type Page } from '../layout/page.ts';
import { itemsOf, listOf, throughsOf } from './lists.ts';

/** The references between resources, and the rules, lists and states of each. */
export function resourcesPage(model: ContractModel): Page {
  const { resources } = model;
  const text =
    resources.length === 0
      ? '# Resources\n\nThis API has operations, but no resources that follow the conventions.\n'
      : `# Resources

How resources refer to each other. The crow's foot is at the resource that refers, the single line at the one it refers to.

\`\`\`mermaid
${resourceMap(resources)}
\`\`\`

${referencesOf(resources)}

${resources.map((resource) => sectionOf(resource, model)).join('\n')}`;
  return markdownPage('docs/resources.html', 'Resources', text);
}

/** An entity relationship diagram (Mermaid). */
function resourceMap(resources: readonly ResourceDescriptor[]): string {
  const lines = edgesOf(resources).map(({ from, to, property }) => {
    const one = property.nullable || !property.required ? '|o' : '||';
    return `  ${to.name} ${one}--o{ ${from.name} : ${property.name}`;
  });
  const alone = resources.filter(({ name }) => !lines.some((line) => line.split(/[\s]+/).includes(name)));
  return ['erDiagram', ...alone.map(({ name }) => `  ${name}`), ...lines].join('\n');
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

function sectionOf(resource: ResourceDescriptor, model: ContractModel): string {
  const throughs = throughsOf(resource, model);
  const { name, path, actions, properties, list } = resource;
  const operations = Object.entries(actions).map(([action, { operationId }]) => [action, code(operationId)]);
  return `## ${name}

${code(path)}

${table(['Action', 'Operation'], operations)}

${rulesOf(resource, model.resources)}
${throughs && `\n${throughs}\n`}${list ? `\n${listOf(list, conventionNames(resource.nameCase))}\n` : ''}
${properties.map((property) => statesOf(name, property)).join('')}`;
}

function rulesOf(resource: ResourceDescriptor, resources: readonly ResourceDescriptor[]): string {
  const { parent, unique, properties } = resource;
  const named = (test: (property: PropertyDescriptor) => boolean) =>
    properties
      .filter(test)
      .map(({ name }) => code(name))
      .join(', ');
  const immutable = named((property) => property.immutable === true);
  const server = named(({ origin }) => origin === 'server');
  return itemsOf([
    parent &&
      `Belongs to ${code(resources.find(({ key }) => key === parent.resource)?.name ?? parent.resource)}, by ${code(parent.property)}.`,
    ...ruleSentences(resource, resources),
    ...unique.map((names) => `Unique: ${names.map(code).join(' and ')}.`),
    immutable && `Immutable after creation: ${immutable}.`,
    server && `Set by the server: ${server}.`,
  ]);
}

/** A state machine as a diagram and as a table. */
function statesOf(resource: string, { name, transitions, initial }: PropertyDescriptor): string {
  if (!transitions) return '';
  const states = Object.entries(transitions);
  const arrows = states.flatMap(([from, targets]) => targets.map((to) => `  ${from} --> ${to}`));
  const ends = states.filter(([, targets]) => targets.length === 0).map(([state]) => `  ${state} --> [*]`);
  const rows = states.map(([from, targets]) => [
    code(from),
    targets.map(code).join(', ') || 'none: this state is final',
  ]);
  return `
### States of \`${resource}.${name}\`

\`\`\`mermaid
stateDiagram-v2
  [*] --> ${String(initial)}
${[...arrows, ...ends].join('\n')}
\`\`\`

${table(['From', 'To'], rows)}

Any other transition is refused with [\`ILLEGAL_TRANSITION\`](../errors/ILLEGAL_TRANSITION.html).
`;
}

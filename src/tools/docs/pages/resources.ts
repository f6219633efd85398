import type { ContractModel } from '../../../compiler/model/model.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { code, table } from '../layout/markdown.ts';
import { markdownPage, type Page } from '../layout/page.ts';

/** Who refers to whom, and what is true of each resource: rules, lists, states. */
export function resourcesPage({ resources }: ContractModel): Page {
  const text =
    resources.length === 0
      ? '# Resources\n\nThis API has operations, and no resources that follow the conventions.\n'
      : `# Resources

How resources refer to each other: the one line is what is referred to, the crow's foot what refers to it.

\`\`\`mermaid
${resourceMap(resources)}
\`\`\`

${referencesOf(resources)}

${resources.map((resource) => sectionOf(resource, resources)).join('\n')}`;
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
  cascade: 'it is deleted, too',
  'set-null': 'the reference becomes null',
} as const;

function referencesOf(resources: readonly ResourceDescriptor[]): string {
  const rows = edgesOf(resources).map(({ from, to, property }) => [
    code(`${from.name}.${property.name}`),
    code(to.name),
    ON_DELETE[property.references!.onDelete],
  ]);
  return rows.length === 0 ? '' : table(['Reference', 'To', 'When what it refers to is deleted'], rows);
}

function sectionOf(resource: ResourceDescriptor, resources: readonly ResourceDescriptor[]): string {
  const { name, path, actions, properties, list } = resource;
  const operations = Object.entries(actions).map(([action, { operationId }]) => [action, code(operationId)]);
  return `## ${name}

${code(path)}

${table(['Action', 'Operation'], operations)}

${rulesOf(resource, resources)}
${list ? `\n${listOf(list)}\n` : ''}
${properties.map((property) => statesOf(name, property)).join('')}`;
}

function rulesOf(
  { owner, parent, unique, properties }: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
): string {
  const named = (test: (property: PropertyDescriptor) => boolean) =>
    properties
      .filter(test)
      .map(({ name }) => code(name))
      .join(', ');
  const immutable = named((property) => property.immutable === true);
  const server = named(({ origin }) => origin === 'server');
  const lines = [
    parent &&
      `Belongs to ${code(resources.find(({ key }) => key === parent.resource)?.name ?? parent.resource)}, by ${code(parent.property)}.`,
    owner &&
      `Belongs to the caller whose \`sub\` is its ${code(owner.property)}${owner.scope ? `; with the scope ${code(owner.scope)}, to anyone` : ''}. ${
        owner.reads === 'anyone' ? 'Anyone may read it.' : "Others' are as if they were not there."
      }`,
    ...unique.map((names) => `No two have the same ${names.map(code).join(' and ')}.`),
    immutable && `Never changes once it is set: ${immutable}.`,
    server && `Set by the server: ${server}.`,
  ];
  return lines
    .filter(Boolean)
    .map((line) => `- ${line}`)
    .join('\n');
}

function listOf({
  defaultLimit,
  maximumLimit,
  filters,
  sorts,
  defaultSort,
}: NonNullable<ResourceDescriptor['list']>): string {
  const sorted = sorts.map(({ value }) => code(value)).join(', ');
  return [
    `- Pages hold ${defaultLimit} entries, ${maximumLimit} at most.`,
    filters.length > 0 &&
      `- Filters: ${filters.map(({ parameter, operators, shape }) => code(parameter) + (shape === 'object' ? ` (${operators.join(', ')})` : '')).join(', ')}.`,
    sorted &&
      `- Sorted by: ${sorted}; ${defaultSort.length > 0 ? `${defaultSort.map(code).join(', ')} unless told` : 'by id unless told'}.`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** A state diagram of a property that is a state machine, and the same as a table. */
function statesOf(resource: string, { name, transitions, initial }: PropertyDescriptor): string {
  if (!transitions) return '';
  const states = Object.entries(transitions);
  const moves = states.flatMap(([from, targets]) => targets.map((to) => `  ${from} --> ${to}`));
  const ends = states.filter(([, targets]) => targets.length === 0).map(([state]) => `  ${state} --> [*]`);
  const rows = states.map(([from, targets]) => [code(from), targets.map(code).join(', ') || 'nowhere: it is the end']);
  return `
### States of \`${resource}.${name}\`

\`\`\`mermaid
stateDiagram-v2
  [*] --> ${String(initial)}
${[...moves, ...ends].join('\n')}
\`\`\`

${table(['From', 'To'], rows)}

Any other move is refused with [\`ILLEGAL_TRANSITION\`](../errors/ILLEGAL_TRANSITION.html).
`;
}

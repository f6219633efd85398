import { allOf } from '../../../compiler/findings/index.ts';
import { type ContractModel, type OperationModel, upperFirst } from '../../../compiler/model/index.ts';
import { levelsFrom } from '../../../descriptor/levels.ts';
import {
  ACTIONS,
  dependenciesOf,
  type ResourceDescriptor,
  type ResourceOperation,
  resourceWithKey,
} from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import type { FieldAccess } from '../../../descriptor/row-access.ts';
import { accessSentences, alternativeWords, ownerSentences } from '../../../descriptor/row-access-words.ts';
import { link } from '../layout/links.ts';
import { code, table } from '../layout/markdown.ts';
import { type Page, textPage } from '../layout/page.ts';
import { needed } from '../reference/access-words.ts';
import type { Places } from '../reference/places.ts';

/** Who may do what: a matrix of resources and actions, then what each scope opens. */
export const accessPage = (model: ContractModel, places: Places): Page =>
  textPage('docs/access.html', 'Access', 'Who may do what, by resource and by scope.', () => textOf(model, places));

function textOf(model: ContractModel, places: Places): string {
  const { resources, operations, graphql } = model;
  const ruled = ruledOperations(resources);
  const isRuled = ({ operationId }: OperationModel) => ruled.some((one) => one.operationId === operationId);
  const custom = operations.filter((operation) => !isAction(operation, resources) && !isRuled(operation));
  return `# Access

Who may do what. Credentials are checked on each request, before anything else in it is read: without them the error is
[\`UNAUTHENTICATED\`](site:errors/UNAUTHENTICATED.html), without the scope it is [\`FORBIDDEN\`](site:errors/FORBIDDEN.html). ${graphql ? 'The same\napplies to the GraphQL fields of each operation.' : ''}

${resources.length > 0 ? `## By resource\n\nEach entry says what a caller needs; “–” that there is no such action.\n\n${matrix(resources, places)}\n\n${refusals(resources)}${owners(resources)}\n${tenants(resources)}${rowRules(resources)}${fieldRules(resources)}` : ''}
${ruled.length > 0 ? `## Lists through other resources\n\n${ruledTable(ruled, operations)}\n` : ''}
${custom.length > 0 ? `## Other operations\n\n${customTable(custom)}\n` : ''}
${scopesOf(operations)}`;
}

const isAction = ({ operationId }: OperationModel, resources: readonly ResourceDescriptor[]): boolean =>
  resources.some(({ actions }) => Object.values(actions).some((action) => action.operationId === operationId));

function matrix(resources: readonly ResourceDescriptor[], places: Places): string {
  const used = ACTIONS.filter((action) => resources.some(({ actions }) => actions[action]));
  const rows = resources.map((resource) => {
    const { name, owner, rowAccess, actions } = resource;
    const isRuled = rowAccess || ruledAbove(resource, resources);
    return [
      `${link(code(name), places.resource(name))}${owner ? ' \\*' : ''}${isRuled ? ' †' : ''}`,
      ...used.map((action) => (actions[action] ? needed(actions[action].access) : '–')),
    ];
  });
  return table(['Resource', ...used.map(upperFirst)], rows);
}

/** What callers get that may not have a row, whichever rule says so. */
const refusals = (resources: readonly ResourceDescriptor[]): string =>
  resources.some(({ owner, rowAccess }) => owner || rowAccess)
    ? `A row that a caller may not read does not exist for it ([\`NOT_FOUND\`](site:errors/NOT_FOUND.html)); one that it may read
but not change is [\`FORBIDDEN\`](site:errors/FORBIDDEN.html).\n\n`
    : '';

/** Whose rows a caller sees, beside the scopes. */
function owners(resources: readonly ResourceDescriptor[]): string {
  const owned = resources.flatMap(({ name, owner }) => (owner ? [`- ${code(name)}: ${ownerSentences(owner)}`] : []));
  return owned.length === 0 ? '' : `\\* What belongs to somebody is theirs beyond any scope:\n\n${owned.join('\n')}\n`;
}

/** Whose rows belong to tenants, and what a caller without one gets. */
function tenants(resources: readonly ResourceDescriptor[]): string {
  const [first] = resources.flatMap(({ tenant }) => tenant ?? []);
  if (!first) return '';
  const names = resources.flatMap(({ name, tenant }) => (tenant ? [code(name)] : []));
  const claim = code(first.claim.join('.'));
  const across = first.across === undefined ? '' : ` Callers with ${code(first.across)} see the rows of all tenants.`;
  return `Rows of ${names.join(', ')} belong to a tenant: ${code(first.property)} is the claim ${claim} of who creates them. A caller whose
token lacks the claim sees none of them, and is [\`FORBIDDEN\`](site:errors/FORBIDDEN.html) when it writes one.${across}\n\n`;
}

/** The nearest resource above one whose rules decide who sees its rows, and so those of what is below it. */
function ruledAbove(
  resource: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
): ResourceDescriptor | undefined {
  const above = levelsFrom(resource, resources).slice(1);
  return above.find(({ owner, rowAccess }) => owner || rowAccess?.read);
}

/** Who may do what with which rows, beside the scopes. */
function rowRules(resources: readonly ResourceDescriptor[]): string {
  const ruled = resources.flatMap((resource) => {
    const { name, rowAccess } = resource;
    const above = ruledAbove(resource, resources);
    const sentences = [
      ...(above ? [`It is there for who may read its ${code(above.name)} only.`] : []),
      ...(rowAccess ? accessSentences(rowAccess, resources) : []),
    ];
    return sentences.length === 0 ? [] : [`- ${code(name)}: ${sentences.join(' ')}`];
  });
  if (ruled.length === 0) return '';
  return `† Beside what an action needs, these rules decide row by row:\n\n${ruled.join('\n')}\n`;
}

/** Who may read and write which properties, beside the rows. */
function fieldRules(resources: readonly ResourceDescriptor[]): string {
  const rows = resources.flatMap(({ name, properties }) =>
    properties.flatMap(({ name: property, access }) => {
      if (!access) return [];
      const words = ({ read, write }: FieldAccess): readonly string[] =>
        [read, write].map(
          (alternatives) => alternatives?.map((one) => alternativeWords(one, resources)).join(', or ') ?? '–',
        );
      return [[code(`${name}.${property}`), ...words(access)]];
    }),
  );
  if (rows.length === 0) return '';
  return `\nSome properties are for fewer callers than their rows. Who may not read one gets null, and may neither filter nor sort by it
unless it reads it on every row; who may not write one and sends another value than it is shown gets
[\`FORBIDDEN\`](site:errors/FORBIDDEN.html). “–” is whoever reads the row, or creates or changes it.\n\n${table(['Property', 'Is read', 'Is written'], rows)}\n`;
}

interface RuledOperation extends ResourceOperation {
  /** Names of the resources whose rules decide: from the row above to those that are listed. */
  readonly rulers: readonly string[];
}

function ruledOperations(resources: readonly ResourceDescriptor[]): readonly RuledOperation[] {
  const nameOf = (wanted: string): string => resourceWithKey(resources, wanted).name;
  return resources.flatMap(({ name, further = [] }) =>
    further.flatMap((one) => {
      const followed = dependenciesOf(one).map(({ resource }) => nameOf(resource));
      return followed.length === 0 ? [] : [{ ...one, rulers: [...followed.reverse(), name] }];
    }),
  );
}

function ruledTable(ruled: readonly RuledOperation[], operations: readonly OperationModel[]): string {
  const rows = ruled.map(({ operationId, access, rulers }) => {
    const { method, path } = operationWithId(operations, operationId);
    return [code(operationId), code(`${method.toUpperCase()} ${path}`), needed(access), allOf(rulers)];
  });
  const words = 'They go by the rules of three resources: a caller that does not read a row of the path gets';
  return `${words}\n[\`NOT_FOUND\`](site:errors/NOT_FOUND.html), and rows of the others that it does not read are not listed. Links also go by the rules of creating and deleting the row that joins the two.\n\n${table(['Operation', 'Request', 'Needs', 'Rules of'], rows)}`;
}

const customTable = (operations: readonly OperationModel[]): string =>
  table(
    ['Operation', 'Request', 'Needs'],
    operations.map(({ operationId, method, path, access }) => [
      code(operationId),
      code(`${method.toUpperCase()} ${path}`),
      needed(access),
    ]),
  );

function scopesOf(operations: readonly OperationModel[]): string {
  const opened = new Map<string, string[]>();
  for (const { operationId, access } of operations)
    for (const { schemes } of access.anyOf) {
      const scopes = schemes.flatMap((scheme) => scheme.scopes);
      for (const scope of new Set(scopes)) {
        const others = scopes.filter((other) => other !== scope);
        const text =
          others.length === 0 ? code(operationId) : `${code(operationId)} (with ${others.map(code).join(', ')})`;
        opened.set(scope, [...(opened.get(scope) ?? []), text]);
      }
    }
  if (opened.size === 0) return '';
  const rows = [...opened].sort(([a], [b]) => (a < b ? -1 : 1)).map(([scope, ids]) => [code(scope), ids.join(', ')]);
  return `## By scope\n\nWhat each scope is sufficient for.\n\n${table(['Scope', 'Opens'], rows)}\n`;
}

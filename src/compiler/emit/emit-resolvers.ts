import { type FieldBinding, planResolvers, type ResolverPlan, ROOTS } from '../../descriptor/wiring-plan.ts';
import type { ContractModel } from '../model/model.ts';
import { codeName } from './codegen/lockstep-codegen.ts';
import { member } from './emit-routes.ts';
import { HEADER, key, quote } from './print.ts';

/** `resolvers.ts`: one line for each field that is not a property of its parent, which says what resolves it. */
export function emitResolvers({ graphql, resources }: ContractModel, library: string): string {
  if (!graphql) throw new Error('A contract without GraphQL has no resolvers.');
  const plan = planResolvers(graphql.descriptor, resources);
  const bindings = [...plan.types.values()].flatMap((fields) => [...fields.values()]);
  const given = [
    'bind',
    ...(bindings.some((binding) => 'type' in binding) ? ['fields'] : []),
    ...(bindings.some((binding) => 'operationId' in binding) ? ['operations'] : []),
  ];
  const names = [...plan.types.keys()];
  return `${HEADER}import type { GraphqlContext, ResolverWiring } from '${library}';
import type { Fields, Operations, Resources } from './handlers.ts';
import type {
${[...names.map((name) => `${codeName(name)}Resolvers`), 'Resolvers']
  .sort()
  .map((name) => `  ${name},\n`)
  .join('')}} from './types/graphql.ts';

/** Every field that needs a resolver. */
interface Wired {
${wiredTypes(plan)}}

/** What resolves each field. To replace a resolver, add it to \`handlers.resolvers\`, not here. */
export const resolvers = ({ ${given.join(', ')} }: ResolverWiring<Resources, Fields, Operations>) =>
  ({
${[...plan.types].map(typeLines).join('')}${[...plan.unions].map(unionLine).join('')}  }) satisfies Resolvers<GraphqlContext> & Wired;
`;
}

const wiredTypes = ({ types }: ResolverPlan): string =>
  [...types]
    .map(([type, fields]) => {
      const resolvers = `${codeName(type)}Resolvers<GraphqlContext>`;
      const names = [...fields.keys()].map(quote).join(' | ');
      // Nothing is a property of a root type: all its fields are here.
      return `  readonly ${key(type)}: Required<${ROOTS.includes(type) ? resolvers : `Pick<${resolvers}, ${names}>`}>;\n`;
    })
    .join('');

function typeLines([type, fields]: [string, ReadonlyMap<string, FieldBinding>]): string {
  const lines = [...fields].map(([field, binding]) => `      ${key(field)}: ${callOf(binding)},\n`);
  return `    ${key(type)}: {\n${lines.join('')}    },\n`;
}

function callOf(binding: FieldBinding): string {
  if ('operationId' in binding) return `bind.operation(${member('operations', binding.operationId)})`;
  if ('type' in binding) return `bind.${binding.bind}(${member(member('fields', binding.type), binding.field)})`;
  const first = 'resource' in binding ? [binding.resource] : [];
  const given = [...first, ...detailsOf(binding)].map(quote);
  return `bind.${binding.bind}(${given.join(', ')})`;
}

/** What a binder takes beside the resource. */
function detailsOf(
  binding: Exclude<FieldBinding, { readonly type: string } | { readonly operationId: string }>,
): readonly string[] {
  if ('field' in binding) return [binding.field];
  if ('by' in binding) return binding.by ?? [];
  return 'property' in binding && binding.property !== undefined ? [binding.property] : [];
}

function unionLine([name, { property, types }]: [
  string,
  { property: string; types: Readonly<Record<string, string>> },
]) {
  const members = Object.entries(types).map(([value, type]) => `${key(value)}: ${quote(type)}`);
  return `    ${key(name)}: bind.union(${quote(property)}, { ${members.join(', ')} }),\n`;
}

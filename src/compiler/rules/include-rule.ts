import { suggestion } from '../findings/wording.ts';
import type { ContractDraft } from '../model/draft.ts';
import type { ContractModel } from '../model/model.ts';
import {
  accessOfInclude,
  type Includable,
  includableRows,
  type ReadInclude,
  readIncludes,
  stepsOf,
} from '../model/resources/index.ts';
import { findingOf } from './check-rules.ts';
import { atParameter } from './place.ts';
import type { Fault, RuleKind } from './rule.ts';

const LEVELS = 2;

/** A rule that needs the fields of GraphQL: it is checked when all else is known. */
export const includeRule: RuleKind & { check(draft: ContractDraft, model: ContractModel): Iterable<Fault> } = {
  id: 'include',
  severity: 'error',
  summary: '`include` offers related rows by their names, at most two levels deep.',
  advice:
    'Names are the fields of GraphQL that are references and connections; without an SDL, those of filters. Lockstep adds them to the schema: the author does not write them there.',
  *check(draft, model) {
    const reads = readIncludes(draft);
    if (reads.length === 0) return;
    const includable = includableRows(draft, model.graphql?.descriptor);
    const resources = new Map(model.resources.map((resource) => [resource.key, resource]));
    for (const read of reads) {
      const { operation, parameter, names } = read;
      const at = atParameter(parameter, 'schema');
      const id = `\`${operation.operationId}\``;
      if (!names) {
        yield {
          message: `\`include\` of ${id} is not a comma-separated array of an enum.`,
          hint: `Write \`{ name: include, in: query, explode: false, schema: { type: array, items: { type: string, enum: [${[...(includable.get(read.resource.key)?.keys() ?? [])].join(', ')}] } } }\`.`,
          ...at,
        };
        continue;
      }
      for (const path of names) {
        const fault = faultOf(draft, read, includable, path);
        if (fault) yield { ...fault, ...at };
        const needs = stepsOf(includable, read.resource.key, path).some(
          ({ include }) => include && (accessOfInclude(resources, include)?.anyOf.length ?? 0) > 0,
        );
        if (!fault && needs && operation.access.anyOf.length === 0)
          yield {
            message: `\`include\` of ${id} names \`${path}\`, which needs credentials. ${id} reads none.`,
            hint: `Let ${id} accept them: \`security: [{}, { … }]\`.`,
            ...at,
          };
      }
    }
  },
};

function faultOf(
  draft: ContractDraft,
  { operation, resource }: ReadInclude,
  includable: Includable,
  path: string,
): Pick<Fault, 'message' | 'hint'> | undefined {
  const of = `\`include\` of \`${operation.operationId}\``;
  if (path.split('.').length > LEVELS)
    return { message: `${of} names \`${path}\`, which is more than two levels deep.`, hint: 'Name at most two.' };
  for (const { key, name, include } of stepsOf(includable, resource.key, path)) {
    const holder = draft.resources.find((one) => one.key === key);
    if (holder?.schema.properties.has(name))
      return {
        message: `${of} names \`${name}\`, which is a property of \`${holder.name}\`.`,
        hint: 'Remove the property: Lockstep adds what is included to the schema.',
      };
    if (!include)
      return {
        message: `${of} names \`${name}\`, which is not related to \`${holder?.name}\`.`,
        hint: suggestion(name, [...(includable.get(key)?.keys() ?? [])], 'Name a reference or a list of related rows.'),
      };
  }
  return undefined;
}

/** Checks what operations offer to include. */
export const checkIncludes = (draft: ContractDraft, model: ContractModel) =>
  [...includeRule.check(draft, model)].map((fault) => findingOf(draft, includeRule, fault));

import { lookUp } from '../../descriptor/look-up.ts';
import { inputName } from '../../descriptor/operation-inputs.ts';
import { operationWithId } from '../../descriptor/rest.ts';
import { FIELDS_ARGUMENT, type ToolDescriptor } from '../../descriptor/tools.ts';
import type { ContractDraft, OperationDraft } from '../model/draft.ts';
import type { ContractModel } from '../model/model.ts';
import { hindrance, offerOf, ownOffer, published, tokensOf } from '../model/tools/index.ts';
import { findingOf } from './check-rules.ts';
import { atOperation } from './place.ts';
import type { Fault, Rule } from './rule.ts';

/** A contract without other errors, and the tools that it offers. */
interface Offered {
  readonly draft: ContractDraft;
  readonly model: ContractModel;
  readonly tools: readonly ToolDescriptor[];
}

/** A rule of what agents are offered, which is known when all else is. */
interface ToolRule extends Omit<Rule, 'check'> {
  check(offered: Offered): Iterable<Fault>;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Arguments that tools have beside the parameters of the document. */
const OWN_ARGUMENTS = new Set([FIELDS_ARGUMENT, 'ifVersion', 'ifAbsent', 'idempotencyKey']);

const toolName: ToolRule = {
  id: 'mcp-tool-name',
  severity: 'error',
  summary: 'Each tool has a name of its own, which hosts accept.',
  advice:
    'Letters, digits, `_` and `-`, at most 64. `x-mcp: { name: … }` on the operation gives it another one than `operationId`.',
  *check({ draft, tools }) {
    const byName = Map.groupBy(tools, ({ name }) => name);
    for (const { operationId, name } of tools) {
      const place = placeOf(draft, operationId);
      if (!NAME.test(name))
        yield {
          message: `\`${name}\` is not a name of a tool.`,
          hint: `Write \`x-mcp: { name: ${name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64)} }\`.`,
          ...place,
        };
      const [first] = lookUp(byName, name);
      if (first && first.operationId !== operationId)
        yield {
          message: `The tool \`${name}\` exists already: it calls \`${first.operationId}\`.`,
          hint: 'Give one of them another name in `x-mcp`.',
          ...place,
          also: placeOf(draft, first.operationId),
        };
    }
  },
};

const argumentName: ToolRule = {
  id: 'mcp-argument-name',
  severity: 'error',
  summary: 'A parameter of a tool is not called as an argument that tools have themselves.',
  advice:
    '`fields`, `ifVersion`, `ifAbsent` and `idempotencyKey` have a meaning of their own. Rename the parameter, or write `x-mcp: false`.',
  *check({ draft, tools }) {
    for (const { operationId } of tools)
      for (const parameter of operationOf(draft, operationId).parameters) {
        const name = inputName(parameter);
        if (name === undefined || !OWN_ARGUMENTS.has(name)) continue;
        yield {
          message: `\`${operationId}\` is a tool, and has a parameter \`${name}\`, which is an argument of tools.`,
          hint: 'Rename the parameter, or write `x-mcp: false` on the operation.',
          node: parameter,
          key: 'name',
        };
      }
  },
};

const notOffered: ToolRule = {
  id: 'mcp-not-offered',
  severity: 'error',
  summary: 'An operation with `x-mcp` can be offered to agents.',
  advice: 'The contract offers tools if `info` has `x-mcp`. Code of `handlers.routes` belongs to REST alone.',
  *check({ draft, model }) {
    const offers = offerOf(model.document) !== undefined;
    for (const operation of model.operations) {
      const own = ownOffer(operation);
      const why = offers ? hindrance(model, operation) : '`info` has no `x-mcp`';
      if (!own?.isOffered || why === undefined) continue;
      yield {
        message: `\`${operation.operationId}\` cannot be offered to agents: ${why}.`,
        hint: offers
          ? 'Remove `x-mcp` from the operation.'
          : 'Write `x-mcp: { offer: [] }` on `info`, or remove it here.',
        ...placeOf(draft, operation.operationId),
      };
    }
  },
};

const DEAREST = 5;

const budget: ToolRule = {
  id: 'mcp-budget',
  severity: 'error',
  summary: 'The list of tools has at most as many tokens as `x-mcp` on `info` allows: 10,000 if it does not say.',
  advice:
    'Hosts put the list into the context of a model with each conversation. Offer less, shorten descriptions, or raise `budget`. A token is counted as four characters of the list as JSON.',
  *check({ draft, model, tools }) {
    const most = offerOf(model.document)?.budget;
    const tokens = tokensOf(tools);
    if (most === undefined || tokens <= most) return;
    const dearest = tools
      .map((tool) => ({ name: tool.name, size: JSON.stringify(published(tool)).length }))
      .sort((a, b) => b.size - a.size)
      .slice(0, DEAREST)
      .map(({ name, size }) => `\`${name}\` (${Math.ceil(size / 4)})`);
    yield {
      message: `The ${tools.length} tools take ${tokens} tokens, and ${most} are allowed. The dearest are ${dearest.join(', ')}.`,
      hint: `Offer fewer groups, write \`x-mcp: false\` on some operations, or \`budget: ${tokens}\`.`,
      node: draft.document.info,
      key: 'x-mcp',
    };
  },
};

export const TOOL_RULES: readonly ToolRule[] = [toolName, argumentName, notOffered, budget];

/** Checks every rule of what agents are offered. */
export function checkTools(draft: ContractDraft, model: ContractModel) {
  const offered = { draft, model, tools: model.tools?.tools ?? [] };
  return TOOL_RULES.flatMap((rule) => [...rule.check(offered)].map((fault) => findingOf(draft, rule, fault)));
}

function placeOf(draft: ContractDraft, operationId: string) {
  const operation = operationOf(draft, operationId);
  return atOperation(operation, 'x-mcp' in operation.node ? 'x-mcp' : 'operationId');
}

const operationOf = ({ operations }: ContractDraft, operationId: string): OperationDraft =>
  operationWithId(operations, operationId);

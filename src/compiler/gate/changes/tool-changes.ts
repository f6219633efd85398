import { childPointer } from '../../../descriptor/json-pointer.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import type { ToolDescriptor } from '../../../descriptor/tools.ts';
import type { Change } from './change.ts';
import type { Edition } from './edition.ts';

/**
 * Differences in what agents are offered. Hosts keep names of tools in their settings, and a model knows of a tool what the list said
 * when the conversation began. An operation that is gone is reported as such.
 */
export function toolChanges(released: Edition, current: Edition): readonly Change[] {
  const [old, now] = [toolsOf(released), toolsOf(current)];
  const isServed = new Set(current.model.operations.map(({ operationId }) => operationId));
  const at = change(current);
  const gone = [...old.values()].filter(({ operationId }) => isServed.has(operationId) && !now.has(operationId));
  return [
    ...gone.map((tool) => at('major', 'tool-withdrawn', tool, {}, `Tool \`${tool.name}\` is no longer offered.`)),
    ...[...now.values()].flatMap((tool) => {
      const before = old.get(tool.operationId);
      if (before) return differences(before, tool, at);
      return [at('minor', 'tool-added', tool, {}, `Tool \`${tool.name}\` is offered.`)];
    }),
  ];
}

const toolsOf = ({ model }: Edition): ReadonlyMap<string, ToolDescriptor> =>
  new Map(model.tools?.tools.map((tool) => [tool.operationId, tool]));

type At = ReturnType<typeof change>;

const change =
  (current: Edition) =>
  (
    impact: Change['impact'],
    rule: string,
    { operationId, name }: ToolDescriptor,
    facts: Change['facts'],
    message: string,
  ): Change => {
    const { path, method } = operationWithId(current.model.operations, operationId);
    const location = current.at(childPointer(childPointer('/paths', path), method));
    return { impact, area: 'mcp', rule, subject: name, facts, message, location };
  };

function differences(old: ToolDescriptor, now: ToolDescriptor, at: At): readonly Change[] {
  const { name: from } = old;
  const renamed =
    from === now.name
      ? []
      : [at('major', 'tool-renamed', now, { from, to: now.name }, `Tool \`${from}\` is called \`${now.name}\`.`)];
  const asked = new Set(requiredOf(old));
  const more = requiredOf(now).filter((name) => !asked.has(name));
  return [
    ...renamed,
    ...more.map((keyword) =>
      at('major', 'tool-argument-required', now, { keyword }, `Tool \`${now.name}\` asks for \`${keyword}\`.`),
    ),
  ];
}

const requiredOf = ({ inputSchema }: ToolDescriptor): readonly string[] =>
  (inputSchema['required'] as readonly string[] | undefined) ?? [];

import type { Access } from '../../descriptor/access.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { operationWithId } from '../../descriptor/rest.ts';
import type { ToolDescriptor } from '../../descriptor/tools.ts';
import { planRoutes } from '../../descriptor/wiring-plan.ts';
import type { Session } from '../admission/session.ts';
import { ApiError } from '../errors/api-error.ts';
import { HandlerError } from '../errors/handler-error.ts';
import { argumentsCheck } from './tool-arguments.ts';
import { type Callable, type ToolCall, toolCall } from './tool-call.ts';

/** A tool, ready to be called. */
export interface Tool extends ToolCall {
  readonly name: string;
  readonly operationId: string;
  /** As `tools/list` shows it, as JSON. */
  readonly json: string;
  /** Throws `VALIDATION_FAILED`. */
  readonly check: ReturnType<typeof argumentsCheck>;
}

/** The tools of a contract. */
export class Tools {
  readonly #byName: ReadonlyMap<string, Tool>;
  readonly accesses: readonly Access[];

  constructor(tools: readonly Tool[]) {
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.accesses = [...new Set(tools.map(({ access }) => access))];
  }

  get(name: unknown): Tool | undefined {
    return this.#byName.get(name as string);
  }

  /** The tools that a caller may call, as a JSON array. */
  listFor(session: Session): string {
    const isAdmitted = new Map(this.accesses.map((access) => [access, admits(session, access)]));
    const tools = [...this.#byName.values()].filter(({ access }) => isAdmitted.get(access));
    return `[${tools.map(({ json }) => json).join(',')}]`;
  }
}

function admits(session: Session, access: Access): boolean {
  try {
    session.admit(access);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Whether an error asks for other credentials. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN');

/** Throws `HandlerError` where code of routes, which REST alone calls, replaces what is offered. */
export function createTools(
  contract: CompiledContract,
  callable: Callable,
  routes: Readonly<Record<string, unknown>> = {},
): Tools {
  const plan = planRoutes(contract.rest, contract.resources);
  const tools = contract.tools?.tools ?? [];
  const replaced = tools.filter(({ operationId }) => Object.hasOwn(routes, operationId));
  if (replaced.length > 0)
    throw new HandlerError(
      `handlers.routes: ${replaced.map(({ operationId }) => operationId).join(', ')}: agents are offered it, and only REST calls code of routes; write an override, or \`x-mcp: false\``,
    );
  return new Tools(
    tools.map((tool) => {
      const operation = operationWithId(contract.rest.operations, tool.operationId);
      const call = toolCall(operation, lookUp(plan, tool.operationId), callable);
      return {
        ...call,
        name: tool.name,
        operationId: tool.operationId,
        json: listed(tool),
        check: argumentsCheck(tool),
      };
    }),
  );
}

const listed = ({ operationId: _, ...tool }: ToolDescriptor): string => JSON.stringify(tool);

/** The groups of operations that `x-mcp` on `info` may offer. */
export const TOOL_GROUPS = ['read', 'create', 'update', 'replace', 'delete', 'custom'] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

/** The path of the Model Context Protocol, beside that of GraphQL. */
export const MCP_PATH = '/mcp';

/** The argument that narrows the entries of a read to some of their properties. */
export const FIELDS_ARGUMENT = 'fields';

/** What a contract offers over the Model Context Protocol (`x-mcp`). */
export interface ToolsDescriptor {
  /** What hosts show the model beside the tools. */
  readonly instructions?: string;
  /** Requests without a token are challenged, also where tools are public. */
  readonly alwaysSignsIn?: true;
  /** In the order of the document. */
  readonly tools: readonly ToolDescriptor[];
}

/** An operation as a tool: what `tools/list` answers, and who answers a call. */
export interface ToolDescriptor {
  readonly operationId: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema that every host takes: an object at its root, no references, no recursion. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: ToolAnnotations;
}

/** What a call does, as hosts heed it; the two in the middle mean nothing for one that only reads. */
interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: false;
}

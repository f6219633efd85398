import type { OwnRole, Role } from './resource.ts';
import type { ToolGroup } from './tools.ts';

/** The facts of an answer of the engine that do not depend on its resource. */
interface RoleFacts {
  /**
   * The header fields that it reads. `tag`: `If-None-Match`, of an answer that the caller has. `version`: `If-Match`, of
   * the row that it changes. `key`: `Idempotency-Key`, under which its answer is kept.
   */
  readonly heeds: 'tag' | 'version' | 'key' | 'nothing';
  /** The group of operations that offers it to agents. */
  readonly tool: ToolGroup;
  /** The root type of GraphQL that has its field. */
  readonly root: 'query' | 'mutation';
}

/** The answers of the engine. */
export const ROLES: { readonly [R in Role]: RoleFacts } = {
  list: { heeds: 'tag', tool: 'read', root: 'query' },
  get: { heeds: 'tag', tool: 'read', root: 'query' },
  create: { heeds: 'key', tool: 'create', root: 'mutation' },
  replace: { heeds: 'version', tool: 'replace', root: 'mutation' },
  update: { heeds: 'version', tool: 'update', root: 'mutation' },
  delete: { heeds: 'version', tool: 'delete', root: 'mutation' },
  totals: { heeds: 'tag', tool: 'read', root: 'query' },
  batch: { heeds: 'key', tool: 'update', root: 'mutation' },
  link: { heeds: 'nothing', tool: 'create', root: 'mutation' },
  unlink: { heeds: 'nothing', tool: 'delete', root: 'mutation' },
};

/** The answers that are not those of an action, as far as protocols treat them differently. */
export const OWN_ROLES: {
  readonly [R in OwnRole]: {
    /** An `x-mcp` of its operation alone offers it to agents. */
    readonly isOfferedAlone: boolean;
    /** Its caller decides on the selection or the items of its field: no document fits all. */
    readonly isComposed: boolean;
  };
} = {
  totals: { isOfferedAlone: false, isComposed: true },
  batch: { isOfferedAlone: true, isComposed: true },
  link: { isOfferedAlone: true, isComposed: false },
  unlink: { isOfferedAlone: true, isComposed: false },
};

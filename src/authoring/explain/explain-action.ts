import { basePathOf } from '../../descriptor/base-path.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { Principal } from '../../runtime/auth/index.ts';
import { compileResources } from '../../runtime/engine/index.ts';
import type { Resource } from '../../runtime/engine/resource/index.ts';
import { ApiError } from '../../runtime/errors/index.ts';
import { createSchemaRegistry } from '../../runtime/schema/index.ts';
import { bind } from '../../runtime/storage/statements/index.ts';
import type { Asked } from '../../tools/find-action.ts';
import type { AskedDatabase } from './asked-database.ts';
import type { AskedCaller } from './callers.ts';
import { executedStatements } from './executed-statements.ts';
import { explainFields, explainRules } from './explain-rules.ts';
import type { ExplainedSecurity, ExplainedStatement, Explanation } from './explanation.ts';
import { withWhereTold } from './field-statements.ts';
import { refusalsFor } from './refusals-for.ts';
import { withValues } from './sql-text.ts';

/** Explains actions of one contract. */
export class Explainer {
  readonly #contract: CompiledContract;
  readonly #database: AskedDatabase;
  readonly #resources: ReadonlyMap<string, Resource>;

  constructor(contract: CompiledContract, database: AskedDatabase) {
    this.#contract = contract;
    this.#database = database;
    this.#resources = compileResources(contract, createSchemaRegistry(contract.document));
  }

  /** What decides about an action for a caller. */
  async explain(
    { operation, resource, action }: Asked,
    { name, claims, principal }: AskedCaller,
  ): Promise<Explanation> {
    const descriptors = new Map(this.#contract.resources.map((one) => [one.key, one]));
    const security = securityFor(operation.access, principal);
    const rules = resource ? explainRules(resource, action!, descriptors, principal) : [];
    const fields = resource ? explainFields(resource, action!, descriptors, principal) : [];
    const properties = resource ? withWhereTold(fields, lookUp(this.#resources, resource.key), principal) : [];
    return {
      action: resource ? `${resource.key}.${action}` : operation.operationId,
      operationId: operation.operationId,
      method: operation.method.toUpperCase(),
      path: basePathOf(this.#contract.document) + operation.path,
      caller: { name, claims },
      security,
      rules,
      properties,
      statements: resource && security.admits ? await this.#statements({ operation, resource, action }, principal) : [],
      refusals: refusalsFor({ operation, resource, action }, this.#contract, security, rules, properties),
    };
  }

  async #statements(
    { resource, action }: Asked,
    principal: Principal | undefined,
  ): Promise<readonly ExplainedStatement[]> {
    const { statements, nameOf } = this.#executed(lookUp(this.#resources, resource!.key), action!, principal);
    const explained: ExplainedStatement[] = [];
    for (const { reads, statement, values } of statements)
      explained.push({
        reads,
        sql: withValues(statement, values, nameOf),
        values: bind(statement.slots, values),
        plan: await this.#database.plan(withValues(statement, values, () => undefined)),
      });
    return explained;
  }

  /** An anonymous caller owns nothing: no statement is executed where rows belong to callers. */
  #executed(resource: Resource, action: NonNullable<Asked['action']>, principal: Principal | undefined) {
    try {
      return executedStatements(this.#database, this.#resources, resource, action, principal);
    } catch (error) {
      if (error instanceof ApiError) return { statements: [], nameOf: () => undefined };
      throw error;
    }
  }
}

function securityFor({ anyOf }: Asked['operation']['access'], principal: Principal | undefined): ExplainedSecurity {
  const alternatives = anyOf.map(({ schemes }) => {
    const scopes = [...new Set(schemes.flatMap((scheme) => scheme.scopes))];
    const isAnonymous = schemes.length === 0;
    const lacks = isAnonymous ? [] : lackedBy(principal, scopes);
    return { isAnonymous, scopes, lacks };
  });
  return { admits: alternatives.length === 0 || alternatives.some(({ lacks }) => lacks.length === 0), alternatives };
}

const lackedBy = (principal: Principal | undefined, scopes: readonly string[]): readonly string[] =>
  principal
    ? scopes.filter((scope) => !principal.scopes.has(scope)).map((scope) => `the scope \`${scope}\``)
    : ['a token'];

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DefinitionNode } from 'graphql';
import type { ContractModel } from '../../compiler/model/model.ts';
import type { SdlSource } from '../../compiler/sdl/sdl-source.ts';
import type { Access } from '../../descriptor/access.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { SecurityScheme } from '../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Noun } from './noun.ts';

/** What a new resource needs to know about the existing contract. */
export class Project {
  readonly #folder: string;
  readonly #model: ContractModel;
  readonly #definitions: readonly DefinitionNode[];
  /** Whether the contract has a GraphQL schema. */
  readonly hasGraphql: boolean;

  constructor(folder: string, model: ContractModel, sdl: SdlSource | undefined) {
    this.#folder = folder;
    this.#model = model;
    this.hasGraphql = sdl !== undefined;
    this.#definitions = sdl?.document.definitions ?? [];
  }

  /** Whether the contract has a shared file: `parameters/Limit.yaml`. */
  has(path: string): boolean {
    return existsSync(join(this.#folder, path));
  }

  /** Whether the schema defines a type or scalar of this name. */
  defines(name: string): boolean {
    return this.#definitions.some(
      (node) => 'name' in node && node.name?.value === name && !node.kind.endsWith('Extension'),
    );
  }

  /** Whether the schema has this root operation: by the default type name, or by a schema definition. */
  hasRoot(operation: 'query' | 'mutation' | 'subscription'): boolean {
    const schemas = this.#definitions.filter((node) => node.kind === 'SchemaDefinition');
    if (schemas.length === 0) return true;
    return this.#definitions.some(
      (node) =>
        (node.kind === 'SchemaDefinition' || node.kind === 'SchemaExtension') &&
        node.operationTypes?.some((one) => one.operation === operation),
    );
  }

  /** The resource of a collection. Throws `ConfigError`. */
  resource(collection: string): ResourceDescriptor {
    const { resources } = this.#model;
    const found = resources.find(({ path, parent }) => !parent && path === `/${collection}`);
    if (found) return found;
    const known = resources.filter(({ parent }) => !parent).map(({ path }) => path.slice(1));
    throw new ConfigError([
      `ref(${collection}): there is no such collection; known collections: ${known.join(', ') || 'none'}.`,
    ]);
  }

  /**
   * The security scheme that takes bearer tokens, and whether operations can name scopes that it does not declare;
   * undefined when there is none.
   */
  get bearer(): { readonly name: string; readonly hasScopes: boolean } | undefined {
    const schemes = Object.entries<SecurityScheme>(this.#model.document.components?.securitySchemes ?? {});
    const found = schemes.find(
      ([, { type, scheme }]) =>
        type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme?.toLowerCase() === 'bearer'),
    );
    return found && { name: found[0], hasScopes: found[1].type !== 'oauth2' };
  }

  /** Throws `ConfigError` when a name that the new resource needs is taken. */
  refuseTaken({ collection, type }: Noun): void {
    const { paths, components } = this.#model.document;
    if (Object.hasOwn(paths, `/${collection}`)) throw new ConfigError([`/${collection} already exists.`]);
    const names = [type, `${type}Input`, `${type}Patch`, `${type}Page`];
    const taken = names.find((name) => Object.hasOwn(components?.schemas ?? {}, name) || this.defines(name));
    if (taken !== undefined) throw new ConfigError([`${taken} already exists.`]);
  }
}

/** The directives that give a field the same access as an operation. */
export function authDirectives({ anyOf }: Access): string {
  return anyOf
    .map(
      ({ schemes }) =>
        ` @auth(scopes: ${JSON.stringify(schemes.flatMap(({ scopes }) => scopes)).replaceAll(',', ', ')})`,
    )
    .join('');
}

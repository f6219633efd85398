import { buildSchema, type GraphQLSchema } from 'graphql';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { pointerTokens } from '../../../descriptor/json-pointer.ts';
import { buildModel } from '../../build-model.ts';
import type { Finding, Location } from '../../findings/finding.ts';
import { resolveReference } from '../../json-schema/references.ts';
import type { ContractModel, Modelled } from '../../model/model.ts';
import type { ContractSource } from '../../model/source.ts';
import { readContract } from '../../read/read-contract.ts';

/** A contract that can be compared with another. */
export class Edition {
  readonly model: ContractModel;
  readonly #source: ContractSource;
  #schema: GraphQLSchema | undefined;

  constructor(source: ContractSource, model: ContractModel) {
    this.#source = source;
    this.model = model;
  }

  /** The document as its author wrote it, in one piece; `model.document` is completed by what the conventions imply. */
  get written(): OpenApiDocument {
    return this.#source.document;
  }

  /** The SDL with the descriptions that are derived for it, as it is released. */
  get schema(): GraphQLSchema | undefined {
    const { graphql } = this.model;
    if (graphql) this.#schema ??= buildSchema(graphql.sdl, { assumeValidSDL: true });
    return this.#schema;
  }

  /** The location in the author's files of a pointer into the bundled document, or of its nearest existing ancestor. */
  at(pointer: string): Location {
    const keys = pointerTokens(pointer);
    let node: object = this.#source.document;
    for (const [i, key] of keys.entries()) {
      const child = Object.hasOwn(node, key) ? (node as Record<string, unknown>)[key] : undefined;
      if (typeof child !== 'object' || child === null || i === keys.length - 1) return this.#source.locate(node, key);
      node = resolveReference(this.#source.document, child) ?? child;
    }
    return this.#source.locate(node);
  }

  /** The location of a schema coordinate (`Product.name`); of something removed, the location of its type. */
  atCoordinate(coordinate: string): Location {
    const [typeName = '', fieldName] = coordinate.replace(/^@/, '').split('.');
    const { sdl } = this.#source;
    const type = sdl?.schema?.getType(typeName);
    const fields = type && 'getFields' in type ? type.getFields() : {};
    const field = fieldName === undefined ? undefined : fields[fieldName];
    return sdl!.locate(field?.astNode ?? type?.astNode, coordinate);
  }
}

/**
 * Reads a contract to compare it; the releases of old versions are those of the contract in `releases`, if given. `edition` is undefined
 * when it has errors.
 */
export async function readEdition(
  path: string,
  releases?: string,
): Promise<{ readonly edition: Edition | undefined; readonly findings: readonly Finding[] }> {
  const source = await readContract(path, { releases });
  const modelled = buildModel(source);
  return { edition: editionOf(source, modelled), findings: modelled.findings };
}

/** A contract that has been read and judged; undefined when it has errors. */
export const editionOf = (source: ContractSource, { candidate }: Modelled): Edition | undefined =>
  candidate && new Edition(source, candidate);

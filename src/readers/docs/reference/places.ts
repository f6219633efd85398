import { type ContractModel, namedSchemas, type OperationModel } from '../../../compiler/model/index.ts';
import { tagOf } from '../../../descriptor/document.ts';
import type { SitePath } from '../layout/links.ts';
import type { NavLink } from '../layout/page.ts';

/** Where the pages of the reference are. */
export interface Places {
  operation(operationId: string): SitePath;
  /** Of a root field that no operation of REST has a page for. */
  field(name: string): SitePath;
  type(name: string): SitePath;
  /** Undefined where a name is that of no type. */
  typeNamed(name: string): SitePath | undefined;
  resource(name: string): SitePath;
  error(code: string): SitePath;
  /** Of what stands under a tag, where there is too much for one page. */
  tag(name: string): SitePath;
}

/** Where all operations of REST are, or their tags. */
export const REST: NavLink = { title: 'REST', path: 'docs/rest.html' };

/** Where all root fields of GraphQL are, or their tags. */
export const GRAPHQL: NavLink = { title: 'GraphQL', path: 'docs/graphql.html' };

/** The tag of an operation; without one, the first segment of its path. */
export const tagNameOf = ({ node, path }: Pick<OperationModel, 'node' | 'path'>): string =>
  tagOf(node) || `/${path.split('/')[1]}`;

/** `types` and `fields`: the names that GraphQL adds to those of REST. */
export function placesOf(
  { operations, resources, document }: ContractModel,
  graphql: { readonly types: readonly string[]; readonly fields: readonly string[] },
): Places {
  const calls = new Names('docs/operations');
  const operationPaths = calls.all(operations.map(({ operationId }) => operationId));
  const fieldPaths = calls.all(graphql.fields);
  const typePaths = new Names('docs/types').all([
    ...new Set([...Object.keys(namedSchemas(document)), ...graphql.types]),
  ]);
  const resourcePaths = new Names('docs/resources').all(resources.map(({ name }) => name));
  const tagPaths = new Names('docs/tags').all([...new Set(operations.map(tagNameOf))]);
  return {
    operation: (id) => known(operationPaths, id),
    field: (name) => known(fieldPaths, name),
    type: (name) => known(typePaths, name),
    typeNamed: (name) => typePaths.get(name),
    resource: (name) => known(resourcePaths, name),
    error: (code) => `errors/${code}.html`,
    tag: (name) => known(tagPaths, name),
  };
}

function known(paths: ReadonlyMap<string, SitePath>, name: string): SitePath {
  const path = paths.get(name);
  if (path === undefined) throw new Error(`There is no page of ${name}.`);
  return path;
}

/** Gives names files: to some file systems `order` is `Order`. */
class Names {
  readonly #folder: string;
  readonly #taken = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  all(names: readonly string[]): ReadonlyMap<string, SitePath> {
    return new Map(names.map((name) => [name, this.#path(name)]));
  }

  #path(name: string): SitePath {
    const own = name.replace(/[^\w.-]+/g, '-') || '-';
    let file = own;
    for (let count = 2; this.#taken.has(file.toLowerCase()); count += 1) file = `${own}-${count}`;
    this.#taken.add(file.toLowerCase());
    return `${this.#folder}/${file}.html`;
  }
}

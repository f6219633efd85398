import type { ContractSide } from '../../compiler/graphql/convention/index.ts';
import type { OpenContract } from '../sync/open-contract.ts';
import type { Json } from '../sync/openapi-resource.ts';
import { type Catalogue, type Relation, sqlName } from './catalogue.ts';
import { Drafts, type Findings, type Target, targetOf } from './draft.ts';
import { collectionOf, Names } from './names.ts';
import { type LeftOut, type Selected, type SelectOptions, select } from './selection.ts';
import { keyOfView } from './view-key.ts';
import { isServed, writeDrafts } from './write-drafts.ts';

/** What was added to a contract, and what was not. */
export interface Imported {
  readonly resources: readonly { readonly name: string; readonly path: string; readonly table: string }[];
  readonly leftOut: readonly LeftOut[];
  /** What only people can answer. */
  readonly questions: readonly string[];
}

/** Adds the tables of a database that a contract does not have, in memory. Throws `CommandFailure` for options that name nothing. */
export async function importCatalogue(
  contract: OpenContract,
  catalogue: Catalogue,
  options: SelectOptions,
): Promise<Imported> {
  const known = knownTables(contract.side);
  const isKnown = (one: Relation): boolean => known.has(sqlName(one));
  const { selected: added, leftOut } = select(catalogue, await viewKeys(catalogue), isKnown, options);
  const findings: Findings = { leftOut: [...leftOut], questions: [] };
  const names = new Names(takenIn(contract));
  const alike = Map.groupBy(added, ({ name }) => name);
  const targets = new Map(known);
  for (const one of byPlainness(added))
    targets.set(
      sqlName(one),
      targetOf(one, names.resource(one.schema, one.name, (alike.get(one.name)?.length ?? 0) > 1)),
    );
  const drafts = new Drafts(targets, names, findings);
  const written = [];
  for (const one of added) written.push(await drafts.draft(one));
  await writeDrafts(contract, { drafts: written, enums: drafts.enums, targets, names });
  const scopes = written.map(({ name }) => `\`${name.collection}:read\``);
  if (scopes.length > 0)
    findings.questions.unshift(
      `Who may read which rows: each operation asks for the scope of its collection, such as ${scopes[0]}, and no rule bounds the rows.`,
    );
  const unserved = written.flatMap(({ name, properties, relation }) =>
    properties
      .filter((one) => one.target !== undefined && !relation.isView && !isServed(one, relation))
      .map((one) => `\`${name.type}.${one.name}\``),
  );
  if (unserved.length > 0)
    findings.questions.push(
      `Which lists filter by references that no index begins with: ${unserved.join(', ')}. Make the index, then add the parameter.`,
    );
  return {
    resources: written.map(({ name, relation }) => ({
      name: name.type,
      path: `/${name.collection}`,
      table: sqlName(relation),
    })),
    ...findings,
  };
}

/** Of names that would be alike, `orders` comes before `Orders` and `order`. */
const byPlainness = (all: readonly Selected[]): readonly Selected[] =>
  all.toSorted((a, b) => Number(a.name !== collectionOf(a.name)) - Number(b.name !== collectionOf(b.name)));

/** The keys of views that follow from their queries, by their names in SQL: views stand on views. */
async function viewKeys({ relations, rowChangers }: Catalogue): Promise<ReadonlyMap<string, readonly string[]>> {
  const byName = new Map(relations.map((one) => [sqlName(one), one]));
  const found = new Map<string, readonly string[]>();
  // A view reads as its owner, whom the policies of a table may not bind: only people can decide that it is served.
  const keyOf = (name: string): readonly string[] => {
    const relation = byName.get(name);
    if (!relation || relation.hasRowSecurity) return [];
    return found.get(name) ?? relation.key;
  };
  const context = {
    keyOf,
    hasColumn: (name: string, column: string) => byName.get(name)?.columns.some((one) => one.name === column) ?? false,
    changesRows: (name: string) => rowChangers.has(name),
  };
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [name, { query }] of byName) {
      const key = query === undefined || found.has(name) ? undefined : await keyOfView(query, context);
      if (key) found.set(name, key);
    }
  }
  return found;
}

/** The mapped tables of a contract, by their names in SQL. */
function knownTables({ draft }: ContractSide): ReadonlyMap<string, Target> {
  return new Map(
    draft.resources.flatMap(({ name, path, schema }): [string, Target][] => {
      const table = schema.flat.keywords.get('x-table')?.value as { schema?: string; name?: string } | undefined;
      const id = schema.properties.get('id');
      const own = id && (Object(id.holder)['id'] as Json);
      const column = own?.['x-column'] ?? 'id';
      if (table?.schema === undefined || table.name === undefined || !own) return [];
      const { 'x-column': _, description: __, ...idSchema } = own;
      const target = { name: { type: name, collection: path.slice(1) }, key: [column].flat().map(String), idSchema };
      return [[sqlName({ schema: table.schema, name: table.name }), target]];
    }),
  );
}

/** What new paths, resources and enums may not be named. */
const takenIn =
  ({ side, writer }: OpenContract) =>
  (name: string): boolean =>
    name.startsWith('/') ? writer.hasPath(name) : side.sdl.defined.has(name) || writer.has('schemas', name);

import { actorProperties } from '../../descriptor/actor-properties.ts';
import { startWithArticle } from '../../descriptor/article.ts';
import { basePathOf } from '../../descriptor/base-path.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { conventionNames } from '../../descriptor/convention-names.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { once } from '../../descriptor/once.ts';
import { referenceTo } from '../../descriptor/references.ts';
import {
  hasTextVersion,
  type Id,
  idProperty,
  isIdCounted,
  isReferring,
  namingProperty,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import { totalNamesOf } from '../../descriptor/totals.ts';
import { inflectionsIn } from '../../descriptor/words/inflections.ts';
import type { ReportStray } from '../errors/stray-values.ts';
import { memberOrders } from '../schema/member-order.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';
import { fieldRules } from './access/fields.ts';
import { OPEN, rowFilter } from './access/filter.ts';
import { filterReads } from './access/other-rows.ts';
import { boundReferences } from './access/references.ts';
import { accessRules } from './access/rules.ts';
import { tenancyOf } from './access/tenant.ts';
import { refusalsOf } from './access/verdicts.ts';
import type { Consumed } from './interface/event-handlers.ts';
import { columnsReader } from './resource/columns.ts';
import { forbiddersOf } from './resource/deletes.ts';
import { notFoundOf } from './resource/faults.ts';
import { formOf } from './resource/form.ts';
import { batchInputs, queryChecks } from './resource/further-checks.ts';
import { normalize, rowNamer } from './resource/normalize.ts';
import type { Referrer, RelatedRows, Resource, Watcher } from './resource/resource.ts';
import { createRowReader, type RowReader } from './resource/row-codec.ts';
import { locationReader } from './resource/row-location.ts';
import { staleAfter } from './resource/stale-lists.ts';
import { callChecks } from './resource/validated.ts';
import { fitReader, validatorsOf } from './resource/validators.ts';

type Linked = { -readonly [K in keyof Resource]: Resource[K] } & {
  readonly referrers: Referrer[];
  readonly relations: Map<string, RelatedRows>;
  readonly targets: Map<string, Resource>;
  readonly watchers: Watcher[];
};

interface CompileOptions {
  /** Keys of the resources whose changes can be subscribed to. */
  readonly watched?: ReadonlySet<string>;
  readonly reportStray?: ReportStray | undefined;
  /** By resource key: code that may make what a row shows. */
  readonly overrides?: Readonly<Record<string, object | undefined>> | undefined;
  /** By resource key: which changes code handles. */
  readonly consumed?: ReadonlyMap<string, Consumed> | undefined;
  /** Their refusals name the rule. */
  readonly namesRules?: boolean | undefined;
}

/** All resources of a contract by key, linked to each other. */
export function compileResources(
  contract: Pick<CompiledContract, 'document' | 'rest' | 'resources'>,
  schemas: SchemaRegistry,
  { watched = new Set(), reportStray, overrides = {}, consumed, namesRules = false }: CompileOptions = {},
): ReadonlyMap<string, Resource> {
  const { resources: descriptors } = contract;
  const descriptorOf = new Map(descriptors.map((descriptor) => [descriptor.key, descriptor]));
  const resources = new Map(
    descriptors.map((descriptor) => [
      descriptor.key,
      compile(descriptor, descriptorOf, contract, schemas, {
        reportStray,
        isByCode: makesRows(overrides[descriptor.key]),
      }),
    ]),
  );
  const all = [...resources.values()];
  for (const resource of all) {
    link(resource, resources);
    resource.isWatched = watched.has(resource.descriptor.key);
    resource.consumed = consumed?.get(resource.descriptor.key);
    if (namesRules) resource.refusals = refusalsOf(resource.descriptor, descriptorOf);
  }
  for (const resource of all) resource.levels = levelsOf(resource);
  // Those of parents first.
  for (const resource of all.toSorted((one, other) => one.levels.length - other.levels.length))
    resource.filter = rowFilter(resource);
  for (const resource of all) {
    resource.hasKeyedAncestor = resource.levels.slice(1).some(({ descriptor }) => namingProperty(descriptor) !== 'id');
    resource.bound = boundReferences(resource);
    if (resource.isWatched)
      for (const [key, reads] of filterReads(resource))
        lookUp(resources, key).watchers.push({ resource: resource.descriptor.key, ...reads });
    resource.forbidders = forbiddersOf(resource);
    resource.stale = {
      write: staleAfter(resource, 'write', resources),
      delete: staleAfter(resource, 'delete', resources),
    };
  }
  return resources;
}

function compile(
  descriptor: ResourceDescriptor,
  descriptors: ReadonlyMap<string, ResourceDescriptor>,
  { document, rest }: Pick<CompiledContract, 'document' | 'rest'>,
  schemas: SchemaRegistry,
  { reportStray, isByCode }: { readonly reportStray: ReportStray | undefined; readonly isByCode: boolean },
): Linked {
  const { properties, list } = descriptor;
  const id = idProperty(descriptor);
  const validators = validatorsOf(descriptor, (name) => referenceTo(document, name), schemas);
  const fits = fitReader(validators.validateAnswer);
  const reader = createRowReader(properties, {
    form: isByCode ? undefined : formOf(descriptor, document),
    orderOf: memberOrders(document, referenceTo(document, descriptor.schemas.resource)),
    onStray: (name, value) => reportStray?.(`${descriptor.key}.${name}`, value),
  });
  const fields = fieldRules(descriptor, descriptors);
  return {
    descriptor,
    names: conventionNames(descriptor.nameCase),
    notFound: notFoundOf(descriptor),
    ...reader,
    property: new Map(properties.map((property) => [property.name, property])),
    inputs: properties.filter(({ origin }) => origin === 'input'),
    machines: properties.filter(({ transitions }) => transitions !== undefined),
    immutables: properties.filter(({ immutable }) => immutable),
    references: properties.filter(isReferring),
    actors: actorProperties(descriptor),
    targets: new Map(),
    bound: [],
    parent: undefined,
    parentIdIn: parentReader(descriptor, reader),
    levels: [],
    referrers: [],
    forbidders: [],
    inflect: inflectionsIn(list?.searchLanguage),
    tenancy: tenancyOf(descriptor, fits),
    relations: new Map(),
    access: accessRules(descriptor, descriptors),
    refusals: undefined,
    fields,
    columnsOf: columnsReader(descriptor, fields !== undefined),
    filter: OPEN,
    isWatched: false,
    consumed: undefined,
    watchers: [],
    stale: { write: [], delete: [] },
    sorts: new Map(list?.sorts.map((sort) => [sort.value, sort])),
    ...validators,
    fits,
    totalNames: once(() => totalNamesOf(descriptor)),
    checks: callChecks(descriptor, rest, schemas),
    queryChecks: queryChecks(descriptor, rest, schemas),
    batchInputs: batchInputs(descriptor, rest, schemas),
    idMaker: id.type === 'uuid' ? 'server' : isIdCounted(descriptor) || descriptor.mapped ? 'database' : 'caller',
    firstVersion: hasTextVersion(descriptor) ? undefined : 1,
    idOf: (given) => normalize(id, given) as Id,
    locationOf: locationReader(basePathOf(document) + descriptor.path),
    nameOf: rowNamer(descriptor),
    hasKeyedAncestor: false,
  };
}

/** Whether overrides return what is shown of one row. A page that code makes is named by its own text. */
const makesRows = (overrides: object = {}): boolean =>
  Object.keys(overrides).some((action) => action !== 'list' && action !== 'delete');

function parentReader({ name, parent }: ResourceDescriptor, { valueIn }: RowReader): Resource['parentIdIn'] {
  if (parent) return (row) => valueIn(row, parent.property) as Id;
  return () => {
    throw new Error(`${startWithArticle(name)} has no parent.`);
  };
}

function link(resource: Linked, resources: ReadonlyMap<string, Linked>): void {
  const { parent } = resource.descriptor;
  if (parent) resource.parent = lookUp(resources, parent.resource);
  for (const { name, references } of resource.references) {
    const target = lookUp(resources, references.resource);
    resource.targets.set(name, target);
    target.referrers.push({ resource, property: name, onDelete: references.onDelete });
  }
  for (const [name, { resource: key, ...related }] of Object.entries(resource.descriptor.relations ?? {}))
    resource.relations.set(name, { ...related, resource: lookUp(resources, key) });
}

function levelsOf(resource: Resource): readonly Resource[] {
  return resource.parent ? [resource, ...levelsOf(resource.parent)] : [resource];
}

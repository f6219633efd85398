import { actorProperties } from '../../../descriptor/actor-properties.ts';
import { quote } from '../../../descriptor/migration/literal.ts';
import {
  isReferring,
  type PropertyDescriptor,
  type ReferenceProperty,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import { keyOfTable, type LiveColumn, type LiveForeignKey, type LiveRelation, type Right } from './mapped-catalogue.ts';

/** Where a mapped resource and its table part. */
export interface Drift {
  /** Nothing is served until it is mended. */
  readonly isError: boolean;
  /** Of the resource that it concerns, and the property, if it is one. */
  readonly resource: string;
  readonly property?: string;
  /** Names the table and the property, and what to do. */
  readonly what: string;
}

/** A resource and its table, and what makes a finding. */
export interface Judged {
  readonly resource: ResourceDescriptor;
  readonly live: LiveRelation;
  readonly fault: (what: string, property?: string, isError?: boolean) => Drift;
}

/** All that a table lacks for the operations that write it, or that delete rows it refers to. */
export function* writingDrift(judged: Judged, byKey: ReadonlyMap<string, ResourceDescriptor>): Iterable<Drift> {
  const { resource, live, fault } = judged;
  const actions = ACTIONS.filter((action) => resource.actions[action]);
  if (!live.isTable) {
    if (actions.length > 0)
      yield fault(`is a view, which is read-only: remove its ${actions.join(', ')} from the contract.`);
    return;
  }
  yield* referenceDrift(judged, byKey);
  if (actions.length === 0) return;
  yield* missingRights(judged);
  yield* generatedColumns(judged);
  if (resource.actions.create) yield* unfilledColumns(judged);
}

const ACTIONS = ['create', 'replace', 'update', 'delete'] as const;

const isSent = ({ origin }: PropertyDescriptor): boolean => origin === 'input' || origin === 'parent';

/** The properties that a new row gets a value of: from its input, its caller, the contract or the server. */
function givenToNew(resource: ResourceDescriptor): readonly PropertyDescriptor[] {
  const { owner, tenant, properties } = resource;
  const { created, updated } = actorProperties(resource);
  const ofCaller = [owner?.property, tenant?.property, created?.name, updated?.name];
  return properties.filter((property) => {
    const { name, type, origin, initial } = property;
    const isMade = origin === 'managed' && (name !== 'id' || type === 'uuid');
    return isSent(property) || isMade || initial !== undefined || ofCaller.includes(name);
  });
}

/** Changes and deletes lock their row, which takes a right to change some column. */
function* missingRights({ resource, live, fault }: Judged): Iterable<Drift> {
  const { create, replace, update, delete: remove } = resource.actions;
  const lacks = (right: Right, columns: readonly LiveColumn[]): boolean =>
    !live.rights.includes(right) && columns.some(({ rights }) => !rights.includes(right));
  const grant = (right: string, why = ''): Drift =>
    fault(`lacks the right: grant ${right} on it to the role of DATABASE_URL${why}.`);
  const made = columnsOf(live.columns, givenToNew(resource));
  if (
    create &&
    lacks(
      'insert',
      made.filter(({ isGenerated }) => !isGenerated),
    )
  )
    yield grant('insert');
  const changed = columnsOf(
    live.columns,
    resource.properties.filter(({ origin, immutable }) => origin === 'input' && !immutable),
  );
  const canLock = live.rights.includes('update') || live.columns.some(({ rights }) => rights.includes('update'));
  if (replace && lacks('update', changed)) yield grant('update');
  else if ((replace || update || remove) && !canLock) yield grant('update', ', which locks a row before it changes');
  if (remove && !live.rights.includes('delete')) yield grant('delete');
  for (const { name, needsSequence } of create ? live.columns : [])
    if (needsSequence) yield grant(`usage on the sequence of ${quote(name)}`);
}

const columnsOf = (live: readonly LiveColumn[], properties: readonly PropertyDescriptor[]): readonly LiveColumn[] =>
  live.filter(({ name }) => properties.some(({ columns = [] }) => columns.includes(name)));

function* generatedColumns({ resource, live, fault }: Judged): Iterable<Drift> {
  const generated = new Set(live.columns.flatMap(({ name, isGenerated }) => (isGenerated ? [name] : [])));
  for (const property of resource.properties) {
    const { name, columns = [], origin } = property;
    const isWritten = isSent(property) || (origin === 'managed' && name !== 'id');
    const column = isWritten ? columns.find((one) => generated.has(one)) : undefined;
    if (column !== undefined)
      yield fault(`is written, but the database generates ${quote(column)}: remove it from the inputs.`, name);
  }
}

/** Triggers may fill in anything. */
function* unfilledColumns({ resource, live, fault }: Judged): Iterable<Drift> {
  if (live.hasBeforeTriggers) return;
  const filled = columnsOf(live.columns, givenToNew(resource));
  const byCode = resource.properties.filter(({ origin }) => origin === 'server');
  for (const column of live.columns) {
    if (!column.isRequired || column.isFilled || filled.includes(column)) continue;
    const name = quote(column.name);
    const own = byCode.find(({ columns = [] }) => columns.includes(column.name))?.name;
    if (own === undefined)
      yield fault(`requires ${name}, which no create fills in: add a property to ${resource.schemas.input}.`);
    else yield fault(`requires ${name}, which inputs lack: an override of create has to give it.`, own, false);
  }
}

/** Only the database guards references: where the contract writes, they have foreign keys. */
function* referenceDrift(
  { resource, live, fault }: Judged,
  byKey: ReadonlyMap<string, ResourceDescriptor>,
): Iterable<Drift> {
  const { create, replace, update } = resource.actions;
  for (const property of resource.properties.filter(isReferring)) {
    const { name, references } = property;
    const target = byKey.get(references.resource);
    if (!target?.mapped || !(create || replace || update || target.actions.delete)) continue;
    const { schema, name: table } = target.mapped;
    const key = live.foreignKeys.find((one) => isKeyOf(one, property, target));
    if (!key) yield fault(`has no foreign key to ${schema}.${table}: add it, or remove x-references.`, name);
    else if (key.onDelete !== references.onDelete)
      yield fault(
        `is ${references.onDelete} on delete, but the foreign key is ${key.onDelete}: ${
          key.onDelete === 'set default' ? 'remove x-references' : `write \`x-on-delete: ${key.onDelete}\``
        }.`,
        name,
      );
  }
}

/** Whether each column of the reference refers to its column of the id. */
function isKeyOf(
  { target, columns: from, targetColumns: to }: LiveForeignKey,
  { columns = [] }: ReferenceProperty,
  { mapped, properties }: ResourceDescriptor,
): boolean {
  const ids = properties.find(({ name }) => name === 'id')?.columns ?? [];
  return (
    mapped !== undefined &&
    keyOfTable(target) === keyOfTable(mapped) &&
    from.length === columns.length &&
    columns.every((column, i) => to[from.indexOf(column)] === ids[i])
  );
}

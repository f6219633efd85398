import { startWithArticle } from '../../../descriptor/article.ts';
import { type Id, namingProperty } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../storage/store.ts';
import { checkStillWritable, givenToNew } from '../access/field-checks.ts';
import { shown } from '../access/fields.ts';
import { withOwner } from '../access/owner.ts';
import { checkParents, checkParentTenant, withAncestorIds } from '../access/parents.ts';
import { checkReferences } from '../access/references.ts';
import { checkAllowed, checkUnstored } from '../access/rules.ts';
import type { WriteCall } from '../interface/call.ts';
import type { Created } from '../interface/engine.ts';
import type { Override } from '../interface/untyped.ts';
import { judge } from '../resource/judged.ts';
import { isAsSent, normalized } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import { entityOfValues, RowEntity, type Values } from '../resource/row-codec.ts';
import { checkInitialStates } from '../resource/transitions.ts';
import { validated } from '../resource/validated.ts';
import { withinTenant } from '../transaction/code-scope.ts';
import { createOnce } from '../transaction/idempotency.ts';
import { type Change, committing } from '../transaction/in-transaction.ts';
import { currentReader } from '../transaction/reading.ts';
import type { RowChecks } from '../transaction/row-checks.ts';
import { insertRow } from '../transaction/row-inserter.ts';
import type { Runtime } from '../transaction/runtime.ts';

/** Creates a row from the valid input of a call. A path that names the row gives it its id, or its key. */
export type Creator = (change: Change, call: WriteCall) => Promise<RowEntity>;

/** Throws `NOT_FOUND` for a missing parent, `FORBIDDEN`, and what `insertRow` throws. */
export function creator(runtime: Runtime, resource: Resource): Creator {
  const { parent, key, idParameter, owner } = resource.descriptor;
  const naming = namingProperty(resource.descriptor);
  const { machines } = resource;

  const insert = async (
    change: Change,
    call: WriteCall,
    input: Values,
    judged: RowChecks['judge'] = call.judge,
  ): Promise<RowEntity> => {
    const { params, caller } = call;
    const named = params[idParameter];
    const place = parent && { [parent.property]: params[parent.property] };
    const placed = { ...input, ...place };
    const values = owner ? withOwner(resource, placed, caller.principal) : placed;
    if (named !== undefined && naming === 'id') checkOwnId(resource, named, values);
    const row = named === undefined ? values : { ...values, [naming]: named };
    if (machines.length > 0) checkInitialStates(machines, row);
    const checks = checksOf(change, resource, call);
    return new RowEntity(
      resource,
      await insertRow(change, resource, row, judged ? { ...checks, judge: judged } : checks),
    );
  };

  const override = runtime.overrides[key]?.create;
  const overridden =
    (run: Override): Creator =>
    async (change, call) => {
      const input = call.input as Values;
      const next = async (values: Values): Promise<Values> => {
        const judged = isAsSent(resource, values, input) ? undefined : (row: Row) => judge(resource, row, next);
        return (await insert(change, call, values, judged)).value;
      };
      const created = await run(normalized(resource, input) as never, change.context(call), next);
      const entity = entityOfValues(resource, created as Values);
      if (resource.fields) await allowedRow(change, resource, call)(entity.row);
      return entity;
    };
  const make: Creator = override ? overridden(override) : (change, call) => insert(change, call, call.input as Values);

  const refers = resource.bound.length > 0;
  return async (begun, call) => {
    const { params, caller } = call;
    const input = call.input as Values;
    let change = begun;
    if (parent) {
      const { unlocked } = begun.transaction;
      await checkParents(unlocked, resource, params, caller.principal, 'create');
      await checkParentTenant(unlocked, resource, params, caller.principal);
      change = await begun.withParents(resource, 'create', params);
    } else resource.tenancy?.forNew(caller.principal);
    if (runtime.tenancy) change = await withinTenant(runtime, change, resource, call);
    const reader = change.transaction.unlocked;
    if (refers) await checkReferences(reader, resource, input, undefined, call);
    if (!resource.access?.create) return make(change, call);
    const created = await make(change, call);
    await checkAllowed(reader, resource, created.id, caller.principal, { action: 'create', given: () => given(input) });
    return created;
  };
}

/** Checks that the caller may write what its input gives to a new row, before a conflict with others could reveal them. */
function allowedRow({ transaction }: Change, resource: Resource, { caller, input }: WriteCall) {
  const written = givenToNew(resource, input as Values);
  return (row: Row): Promise<void> =>
    checkStillWritable(transaction.unlocked, resource, written, row, caller.principal);
}

/** What of a new row's rules must be asked before a conflict is reported; the rest is asked of what is stored. */
function checksOf(change: Change, resource: Resource, call: WriteCall): RowChecks | undefined {
  const { access, fields } = resource;
  if (!access?.create && !fields) return undefined;
  const { unlocked } = change.transaction;
  const ruled = { action: 'create', given: () => given(call.input as Values) } as const;
  return {
    before: fields && allowedRow(change, resource, call),
    whenTaken: (row) => checkUnstored(unlocked, resource, row, call.caller.principal, ruled),
  };
}

/** A row that has just been created, as an entity. */
class CreatedRow extends RowEntity implements Created {
  readonly location: string;
  readonly isReplayed = false;
  readonly misfits: ReadonlySet<string> = new Set();

  constructor(resource: Resource, { row, viewTag }: RowEntity, location: string) {
    super(resource, row, viewTag);
    this.location = location;
  }
}

/**
 * Throws `VALIDATION_FAILED`, and what `creator` and `createOnce` throw. A key is looked up before the input is validated:
 * what an instance with another contract has answered is repeated, also where this one would refuse the input.
 */
export function createAction(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Created> {
  const create = creator(runtime, resource);
  const naming = namingProperty(resource.descriptor);
  const work = async (change: Change, call: WriteCall): Promise<CreatedRow> => {
    const made = await create(change, call);
    const { row } = made;
    const entity = resource.fields
      ? await shown(change.transaction.unlocked, resource, row, call.caller.principal)
      : made;
    return new CreatedRow(resource, entity, resource.locationOf(call.params, resource.valueIn(row, naming) as Id));
  };
  const commit = committing(runtime, resource, 'create', work);
  const placed = async (call: WriteCall): Promise<WriteCall> => {
    const reader = currentReader(runtime, call);
    return { ...call, params: await withAncestorIds(reader, resource, call.params, call.caller.principal) };
  };
  const valid = async (change: Change, call: WriteCall): Promise<CreatedRow> => {
    validated(resource.validateInput, call.input);
    return work(change, call);
  };
  return async (given) => {
    if (given.idempotencyKey !== undefined) return createOnce(runtime, resource, await placed(given), valid);
    validated(resource.validateInput, given.input);
    return commit(resource.hasKeyedAncestor ? await placed(given) : given);
  };
}

/** Where each row is its caller, nobody makes that of another. */
function checkOwnId(resource: Resource, id: Id, values: Values): void {
  if (values['id'] === undefined || resource.idOf(values['id'] as Id) === resource.idOf(id)) return;
  throw new ApiError('FORBIDDEN', {
    detail: `${startWithArticle(resource.descriptor.name)} has the id of its caller.`,
  });
}

const given = (input: Values): readonly string[] => Object.keys(input).filter((name) => input[name] != null);

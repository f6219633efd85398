import { basePathOf } from '../../../../src/descriptor/base-path.ts';
import type { OpenApiDocument } from '../../../../src/descriptor/document.ts';
import type { Id } from '../../../../src/descriptor/resource.ts';
import type { DeleteCall, Expectation } from '../../../../src/runtime/engine/interface/call.ts';
import type { Engine, Entity, ResourceActions } from '../../../../src/runtime/engine/interface/engine.ts';
import { checkExpectation } from '../../../../src/runtime/engine/interface/expectation.ts';
import type { OverrideContext } from '../../../../src/runtime/engine/interface/untyped.ts';
import { ApiError } from '../../../../src/runtime/errors/api-error.ts';
import type { SchemaRegistry } from '../../../../src/runtime/schema/schema-registry.ts';
import { catDescriptor } from './zoo-document.ts';

export const CAT_ID = '0190d6a0-0000-7000-8000-000000000001';

/** The last call of the engine, to check what a request became. */
export interface Seen {
  action?: string;
  params?: unknown;
  query?: unknown;
  input?: unknown;
  expect?: Expectation | undefined;
  subject?: string | undefined;
}

/** An engine over one cat in memory. */
export function fakeEngine(document: OpenApiDocument, schemas: SchemaRegistry): { engine: Engine; seen: Seen } {
  const seen: Seen = {};
  const inputOf = (name: string) => schemas.input(document.components!.schemas![name]!);
  const cat = { id: CAT_ID, version: 3, name: 'Tom', colour: 'BLACK' };
  const entityOf = (value: typeof cat): Entity => ({
    id: value.id,
    version: value.version,
    viewTag: undefined,
    form: 'form',
    json: JSON.stringify(value),
    value,
    view: value,
    row: Object.values(value),
  });
  const locationOf = (id: Id): string => `${basePathOf(document)}/cats/${id}`;
  const find = (id: Id | undefined): typeof cat => {
    if (id !== CAT_ID) throw new ApiError('NOT_FOUND', { detail: 'There is no such cat.' });
    return cat;
  };
  const checkExpected = ({ params, expect }: DeleteCall): void => {
    const { version } = find(params['catId']);
    if (expect) checkExpectation(expect, version);
  };
  const accept = (schema: string, input: unknown): object => {
    const errors = inputOf(schema)(input);
    if (errors) throw new ApiError('VALIDATION_FAILED', { errors });
    return input as object;
  };
  const note = (action: string, call: Parameters<ResourceActions['create']>[0] | object) =>
    Object.assign(seen, { expect: undefined, query: undefined, input: undefined }, call, {
      action,
      subject: (call as { caller: { principal?: { subject: string } } }).caller.principal?.subject,
    });

  const cats: ResourceActions = {
    descriptor: catDescriptor,
    checkParams: () => {},
    versionAlone: undefined,
    checkInclude: () => undefined,
    checkQuery: () => {},
    getEach: async () => [],
    listEach: async () => [],
    furtherLists: new Map(),
    totals: new Map(),
    links: new Map(),
    batches: new Map(),
    locationOf: (_params, { id }) => locationOf(id),
    list: async (call) => {
      note('list', call);
      const page = {
        items: [entityOf(cat), entityOf({ ...cat, version: 4 })],
        nextCursor: 'abc"',
        isPreceded: false,
        previousCursor: null,
        rendered: {},
        cursorOf: () => 'abc',
      };
      return call.query.count ? { ...page, totalCount: 2 } : page;
    },
    get: async (call) => {
      note('get', call);
      return entityOf(find(call.params.catId));
    },
    create: async (call) => {
      note('create', call);
      const made = entityOf({ ...cat, version: 1, ...accept('CatInput', call.input) });
      return { ...made, location: locationOf(made.id), isReplayed: false, misfits: new Set() };
    },
    replace: async (call) => {
      note('replace', call);
      checkExpected(call);
      return { entity: entityOf({ ...cat, version: 4, ...accept('CatInput', call.input) }), isCreated: false };
    },
    update: async (call) => {
      note('update', call);
      checkExpected(call);
      return entityOf({ ...cat, version: 4, ...accept('CatPatch', call.input) });
    },
    delete: async (call) => {
      note('delete', call);
      checkExpected(call);
      return cat.id;
    },
  };
  const engine: Engine = {
    resources: new Map([['cats', cats]]),
    jobScope: () => {
      throw new Error('no jobs');
    },
    include: () => async (rows) => rows.map(({ json }) => json),
    subscribe: async () => (async function* () {})(),
    filterKeyOf: () => '',
    isOverridden: () => false,
    tenantGroups: (_caller, _resource, ids) => [{ scope: undefined, positions: [...ids.keys()] }],
    transaction: (_caller, work) => work({ now: new Date(0) }),
    perform: ({ caller, params }, work) =>
      work({ caller, params, now: new Date(0), store: {} } as unknown as OverrideContext),
  };
  return { engine, seen };
}

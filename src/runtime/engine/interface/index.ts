export type { Caller, Log, PathParams } from './call.ts';
export type { EventHandlers, RowEvent } from './event-handlers.ts';
export type { FieldHandler, HandlerContext, OperationContext, RootFieldHandler } from './field-handler.ts';
export type { DefineJob, Job, JobContext, JobDefinition, JobTransaction, Schedule, SendOptions } from './jobs.ts';
export type { ActionContext, ChangeContext, Overrides, PageOf, ResourceOverrides } from './overrides.ts';
export type { ResourceTypes } from './resource-types.ts';
export type { CallerTables, ListOptions, Table, Tables, Totals, TotalsOptions } from './tables.ts';

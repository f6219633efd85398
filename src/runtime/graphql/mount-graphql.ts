import './without-routes.ts';
import type { FastifyInstance } from 'fastify';
import { buildSchema } from 'graphql';
import mercurius, { type MercuriusOptions } from 'mercurius';
import mercuriusAuth from 'mercurius-auth';
import type { Access } from '../../descriptor/access.ts';
import type { ErrorCatalogue } from '../../descriptor/error.ts';
import { GRAPHQL_PATH, type GraphqlDescriptor } from '../../descriptor/graphql.ts';
import { operationsOf } from '../../descriptor/resource.ts';
import { Turns } from '../async/turns.ts';
import type { Engine } from '../engine/interface/engine.ts';
import type { FailureLog } from '../errors/failure-log.ts';
import type { ReportFailure } from '../errors/report-failure.ts';
import type { ReportStray } from '../errors/stray-values.ts';
import type { AllowedPaths } from '../http/allowed-methods.ts';
import type { ServePage } from '../http/pages.ts';
import type { RenderProblem } from '../http/problem.ts';
import type { Observer } from '../telemetry/observer.ts';
import type { SubscriptionCounts } from '../telemetry/sources.ts';
import { createEndpoint } from './create-endpoint.ts';
import { observedEndpoint } from './endpoint/observed-endpoint.ts';
import type { Guards, StreamLimits, Transport } from './endpoint/transport.ts';
import type { GraphqlContext } from './fields/context.ts';
import { nameEnumValues } from './fields/enum-names.ts';
import { admitField, type Policies, policiesOf } from './fields/policies.ts';
import { scalarResolvers } from './fields/scalars.ts';
import { answerStrays } from './fields/stray-enums.ts';
import type { AnyResolvers } from './fields/wire-resolvers.ts';
import { registerHttp } from './http/register-http.ts';
import { listDocuments } from './list-document.ts';
import { createAudiences } from './subscriptions/audience.ts';
import { createEventReply } from './subscriptions/event-reply.ts';
import { registerWebSocket } from './subscriptions/register-websocket.ts';
import { SubscriptionBudget } from './subscriptions/subscription-budget.ts';

declare module 'mercurius' {
  interface MercuriusContext extends GraphqlContext {}
}

/** How many operations of the greatest cost a caller may have open as subscriptions, unless a setting says otherwise. */
const DEAREST_OPEN = 100;

export interface GraphqlOptions {
  /** The merged SDL with all directives. */
  readonly sdl: string;
  readonly descriptor: GraphqlDescriptor;
  readonly engine: Engine;
  readonly errors: ErrorCatalogue;
  readonly failures: FailureLog;
  readonly reportFailure?: ReportFailure | undefined;
  /** Resolvers of the fields that are not properties of their parents. */
  readonly resolvers: AnyResolvers;
  /** Coordinates of the fields whose resolvers are hand-written replacements. */
  readonly replaced: ReadonlySet<string>;
  readonly settings: GraphqlSettings;
  readonly guards: Guards;
  readonly hasHooks: boolean;
  /** Header fields that callers are identified by. */
  readonly fields: readonly string[];
  readonly servePage: ServePage;
  /** Path of what GraphiQL calls its documentation; undefined: none is served. */
  readonly documentation: string | undefined;
  /** Gets the path of the endpoint. */
  readonly paths: AllowedPaths;
  readonly renderProblem: RenderProblem;
  readonly clock: () => number;
  /** Gets values that no enum has, which are answered as they are; undefined: they are errors. */
  readonly reportStray: ReportStray | undefined;
  /** Observes each operation. */
  readonly observer: Observer | undefined;
  readonly subscriptions: SubscriptionCounts;
}

export interface GraphqlSettings extends Partial<StreamLimits> {
  /** Callers may ask for the schema, and errors suggest names from it. Allowed if left out. */
  readonly introspection?: boolean;
  /** `/graphiql` serves a page for trying out documents. Not served if left out. */
  readonly graphiql?: boolean;
  /** Fields of the header section that `/graphiql` starts with, asked when the page is made. */
  readonly graphiqlHeaders?: (() => Readonly<Record<string, string>> | undefined) | undefined;
  /** What the open subscriptions of a caller may cost together; a hundred times `@limits(cost:)` if left out. */
  readonly subscriptionBudget?: number | undefined;
  /** Servers that divide what an instance may hold; one if left out. */
  readonly workers?: number;
  /** The only documents that are executed, by the SHA-256 of their text. Any document is, if left out. */
  readonly registered?: ReadonlyMap<string, string> | undefined;
}

/** Serves the GraphQL side of a contract. */
export async function mountGraphql(app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const { sdl, descriptor, engine, errors, failures, reportFailure, settings, observer, paths } = options;
  await registerExecutor(app, sdl, options.resolvers);
  nameEnumValues(app.graphql.schema, descriptor);
  if (options.reportStray) answerStrays(app.graphql.schema, options.reportStray);
  await registerPolicies(app, policiesOf(descriptor, engine));
  const turns = new Turns();
  const endpoint = createEndpoint({
    log: app.log,
    schema: app.graphql.schema,
    limits: descriptor.limits,
    errors,
    failures,
    reportFailure,
    audienceOf: createAudiences({ schema: app.graphql.schema, descriptor, engine, replaced: options.replaced }),
    turns,
    clock: options.clock,
    introspection: settings.introspection,
    registered: settings.registered,
  });
  const transport: Transport = {
    path: GRAPHQL_PATH,
    endpoint: observer ? observedEndpoint(endpoint, observer, options.subscriptions) : endpoint,
    openSession: options.guards.admission.open(accessesOf(descriptor, engine)),
    guards: options.guards,
    hasHooks: options.hasHooks,
    limits: streamLimits(settings),
    budget: new SubscriptionBudget(budgetOf(settings, descriptor)),
    turns,
    clock: options.clock,
  };
  registerWebSocket(app, transport, options.renderProblem);
  paths.add(registerHttp(app, transport, createEventReply(app, transport), options.fields));
  if (!settings.graphiql) return;
  // The page takes 40 MB; those who do not serve it do not load it.
  const { registerGraphiql } = await import('./graphiql.ts');
  registerGraphiql(options.servePage, '/graphiql', GRAPHQL_PATH, () => ({
    document: firstDocument(descriptor, engine),
    headers: settings.graphiqlHeaders?.(),
    documentation: options.documentation,
  }));
}

async function registerExecutor(app: FastifyInstance, sdl: string, resolvers: AnyResolvers): Promise<void> {
  // The compiler has validated it, as Mercurius would again.
  const schema = buildSchema(sdl, { assumeValid: true, noLocation: true });
  await app.register(mercurius, {
    schema,
    resolvers: { ...(await scalarResolvers(schema)), ...resolvers },
    // Mercurius only accepts resolvers of subscriptions if it may serve them. We serve them ourselves.
    subscription: { pubsub: NO_PUBSUB },
    routes: false,
    // The endpoint executes documents.
    cache: false,
    // The types of Mercurius require more of a pubsub than Mercurius does without its own subscriptions.
  } as unknown as MercuriusOptions);
}

const NO_PUBSUB = { subscribe: () => undefined, publish: () => undefined };

/** Each guarded field admits its caller before it is resolved. */
async function registerPolicies(app: FastifyInstance, policy: Policies): Promise<void> {
  // The types of this CommonJS package declare the plugin as `default` of what it exports.
  await app.register(mercuriusAuth.default, {
    mode: 'external',
    policy,
    applyPolicy: admitField,
  });
}

/** What GraphiQL shows at first; undefined where every list needs an argument. */
function firstDocument(descriptor: GraphqlDescriptor, { resources }: Engine): string | undefined {
  const all = [...resources.values()].map((resource) => resource.descriptor);
  return listDocuments(all, descriptor)[0]?.text;
}

/** The accesses of all operations of resources, and of custom fields. */
function accessesOf({ fields }: GraphqlDescriptor, engine: Engine): readonly Access[] {
  const actions = [...engine.resources.values()].flatMap(({ descriptor }) => operationsOf(descriptor));
  const custom = Object.values(fields).flatMap((field) => (field.kind === 'custom' ? [field.access] : []));
  return [...actions.map(({ access }) => access), ...custom];
}

const budgetOf = (
  { subscriptionBudget, workers = 1 }: GraphqlSettings,
  { limits }: Pick<GraphqlDescriptor, 'limits'>,
): number => subscriptionBudget ?? (DEAREST_OPEN * limits.cost) / workers;

function streamLimits(settings: GraphqlSettings): StreamLimits {
  const { maxQueuedEvents = 1_000, maxQueuedLength = 1_048_576, maxUnsentBytes = 8 * 1_048_576 } = settings;
  const { stallTimeoutMs = 10_000, restMs = 50, initTimeoutMs = 3_000, workers = 1 } = settings;
  const maxArrivingBytes = (64 * 2 ** 20) / workers;
  return { maxQueuedEvents, maxQueuedLength, maxUnsentBytes, maxArrivingBytes, stallTimeoutMs, restMs, initTimeoutMs };
}

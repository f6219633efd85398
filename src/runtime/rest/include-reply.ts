import { listOf, type ResourceDescriptor } from '../../descriptor/resource.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import type { ListCall, PathParams } from '../engine/interface/call.ts';
import type { Engine, Page, ResourceActions } from '../engine/interface/engine.ts';
import { pageForm, pageText } from '../engine/lists/page-text.ts';
import { formOfText } from '../engine/resource/row-codec.ts';
import { entityTagOf, entityTagOfText, JSON_TYPE, ResourceReply, type TaggedReply } from './answer.ts';
import { unlessCurrent } from './conditional-reply.ts';
import type { RouteContext } from './routes.ts';

/** A request, decoded. */
interface Asked {
  readonly params: unknown;
  readonly query?: unknown;
}

interface AskedIncluding {
  readonly params: PathParams;
  readonly query: ListCall['query'];
  readonly names: readonly string[];
}

/** The answer of a request with `include`, whose query no longer has it. */
type AnswerIncluding<Body> = (asked: AskedIncluding, context: RouteContext) => Promise<Conditional<Body>>;

type Conditional<Body> = TaggedReply<200, Body> | TaggedReply<304, undefined>;

/** The answer of a route whose requests may have `include`. Without it they are answered as if no request had. */
export function includable<Request extends Asked, Body>(
  { includes }: ResourceDescriptor,
  plain: (asked: Request, context: RouteContext) => MaybePromise<Conditional<Body>>,
  including: AnswerIncluding<Body>,
): typeof plain {
  if (!includes) return plain;
  return (asked, context) => {
    const { include, ...query } = (asked.query ?? {}) as ListCall['query'];
    if (include === undefined) return plain(asked, context);
    return including({ params: asked.params as PathParams, query, names: include as readonly string[] }, context);
  };
}

/** One row with what a request includes. The tag names all of it; writes compare the version in it alone. */
export function includingEntity<Row>(
  engine: Pick<Engine, 'include'>,
  { descriptor, get }: Pick<ResourceActions<Row>, 'descriptor' | 'get'>,
): AnswerIncluding<Row> {
  return async ({ params, names }, { caller, headers }) => {
    const include = engine.include({ resource: descriptor.key, names, caller });
    const entity = await get({ caller, params });
    const [json = ''] = await include([entity]);
    const { version, viewTag } = entity;
    return replyWith(json, entityTagOf({ version, viewTag, form: formOfText(json) }), headers);
  };
}

/** A page with what a request includes, of which the server keeps nothing. */
export function includingPage<Body>(
  engine: Pick<Engine, 'include'>,
  descriptor: ResourceDescriptor,
  list: (call: ListCall) => MaybePromise<Page<unknown>>,
): AnswerIncluding<Body> {
  const form = pageForm(descriptor);
  const { defaultLimit } = listOf(descriptor);
  return async ({ params, query, names }, { caller, headers }) => {
    const size = (query['limit'] as number | undefined) ?? defaultLimit;
    const include = engine.include({ resource: descriptor.key, names, size, caller });
    const page = await list({ caller, params, query });
    const text = pageText(page, form, await include(page.items));
    return replyWith(text, entityTagOfText(text), headers);
  };
}

function replyWith<Body>(text: string, etag: string, headers: RouteContext['headers']): Conditional<Body> {
  const fields = { 'content-type': JSON_TYPE, etag };
  const render = () => new ResourceReply<200, Body>(200, fields, text, () => JSON.parse(text));
  return unlessCurrent(etag, headers, () => render() as TaggedReply<200, Body>);
}

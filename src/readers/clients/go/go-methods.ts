import { type Action, namingProperty, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { GoApi, GoField } from './go-api.ts';
import { goName } from './go-names.ts';

/** Header fields that options set. */
export const BY_OPTIONS = new Set(['if-match', 'if-none-match', 'idempotency-key']);

/** Names that the methods use for something else than what a path names. */
const OWN_NAMES = new Set(
  'answer api asked change context ctx current cursor err iter nullable options page patch patchOf r read res since valueOf'.split(
    ' ',
  ),
);

/** A call of an operation, in pieces. */
interface Call {
  readonly method: string;
  /** What names the row, or what the collection belongs to: `orderID api.OrderID`. */
  readonly path: readonly GoField[];
  /** The struct of its parameters, where it has others than options set. */
  readonly params: string | undefined;
  /** Whether one of these must be given. */
  readonly isAsking: boolean;
  readonly body: string | undefined;
  readonly answers: readonly GoField[];
  /** The type of all answers, if there are any. */
  readonly result: string | undefined;
  /** `orderID, nil, body` */
  readonly sent: string;
}

/** The methods of one resource. */
export class GoMethods {
  readonly #resource: ResourceDescriptor;
  readonly #type: string;
  readonly #api: GoApi;

  constructor(resource: ResourceDescriptor, type: string, api: GoApi) {
    this.#resource = resource;
    this.#type = type;
    this.#api = api;
  }

  text(): string {
    const { get, update } = { get: this.#call('get'), update: this.#call('update') };
    return [
      this.#list(),
      this.#plain('Get', 'reads one', get),
      this.#plain(
        'Create',
        'makes one. Each call has an Idempotency-Key of its own, or that of [IdempotencyKey]',
        this.#call('create'),
      ),
      this.#write('Replace', 'sends the whole: what may be left out and is, is cleared', this.#call('replace')),
      this.#write('Update', 'changes what is sent, and nothing else', update),
      get && update ? this.#change(get, update) : '',
      this.#write('Delete', 'removes one', this.#call('delete')),
    ].join('');
  }

  #call(action: Action): Call | undefined {
    const operation = this.#resource.actions[action]?.operationId;
    const method = operation === undefined ? undefined : this.#api.method(goName(operation));
    if (!method) return undefined;
    const answers = this.#api.answers(method.response);
    if (answers.length === 0 && action !== 'delete') return undefined;
    const others = [...this.#api.fields(method.params ?? '')].filter(([name]) => !BY_OPTIONS.has(name.toLowerCase()));
    const path = method.path.map(({ name, type }) => ({
      name: OWN_NAMES.has(name) ? `${name}Value` : name,
      type: qualified(type),
    }));
    const params =
      method.params !== undefined && (others.length > 0 || action === 'list') ? qualified(method.params) : undefined;
    const sent = [
      ...path.map(({ name }) => name),
      ...(method.params === undefined ? [] : [params ? 'params' : 'nil']),
      ...(method.body === undefined ? [] : ['body']),
    ];
    const body = method.body && qualified(this.#api.resolved(method.body));
    const result = answers[0]?.type;
    return {
      method: method.name,
      path,
      params,
      isAsking: others.some(([, { isOptional }]) => !isOptional),
      body,
      answers,
      result,
      sent: sent.map((one) => `${one}, `).join(''),
    };
  }

  #list(): string {
    const call = this.#call('list');
    const entry = call && this.#api.fields(call.result ?? '').get('data')?.type;
    if (!call?.params || !entry?.startsWith('[]')) return '';
    const args = call.path.map(({ name }) => `${name}, `).join('');
    return `
// List goes through the entries of all pages, which are asked for as they are needed.
${this.#signature('List', call)} iter.Seq2[${qualified(entry.slice(2))}, error] {
	return All(func(cursor *string) (${qualified(entry)}, nullable.Nullable[string], error) {
		asked := valueOf(params)
		if cursor != nil {
			asked.Cursor = cursor
		}
		page, err := r.Page(ctx, ${args}&asked, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, page.Page.NextCursor, nil
	})
}
${this.#plain('Page', 'reads one page: the first, or that at the cursor of the parameters', call)}`;
  }

  #signature(
    name: string,
    { path, params, body }: Pick<Call, 'path' | 'params' | 'body'>,
    ...more: readonly string[]
  ): string {
    const args = [
      'ctx context.Context',
      ...path.map((one) => `${one.name} ${one.type}`),
      ...(params ? [`params *${params}`] : []),
      ...(body ? [`body ${body}`] : []),
      ...more,
      'options ...api.RequestEditorFn',
    ];
    return `func (r *${this.#type}) ${name}(${args.join(', ')})`;
  }

  #plain(name: string, what: string, call: Call | undefined): string {
    if (!call) return '';
    const { method, answers, result, sent } = call;
    const request = `r.api.${method}WithResponse(ctx, ${sent}options...)`;
    const head = `\n// ${name} ${what}.\n${this.#signature(name, call)}`;
    if (result === undefined) return `${head} error {\n\t_, err := ${request}\n\treturn err\n}\n`;
    return `${head} (*${qualified(result)}, error) {
	res, err := ${request}
	if err != nil {
		return nil, err
	}
	return answer(${['res.HTTPResponse', ...answers.map((one) => `res.${one.name}`)].join(', ')})
}
`;
  }

  /** The same for what was read, where that shows its version and what names it in the path. */
  #write(name: string, what: string, call: Call | undefined): string {
    if (!call) return '';
    const { resource } = this.#resource.schemas;
    const row = goName(resource);
    const own = this.#api.fields(row).get(namingProperty(this.#resource));
    const path = call.path.slice(0, -1);
    const plain = this.#plain(name, what, call);
    const named = call.path.at(-1)?.type.replace(/^api\./, '') ?? '';
    const isNamed = own && this.#api.resolved(own.type) === this.#api.resolved(named);
    if (!isNamed || !this.#isVersioned(row)) return plain;
    const result = call.result === undefined ? 'error' : `(*${qualified(call.result)}, error)`;
    const args = [
      ...path.map((one) => `${one.name}, `),
      `read.${own.name}, `,
      ...(call.params ? ['params, '] : []),
      ...(call.body ? ['body, '] : []),
    ].join('');
    const read = { ...call, path: [...path, { name: 'read', type: `*api.${row}` }] };
    return `${plain}
// ${name}IfUnchanged does so with what was read. The error has the code PRECONDITION_FAILED where somebody else was faster.
${this.#signature(`${name}IfUnchanged`, read)} ${result} {
	return r.${name}(ctx, ${args}since(read.Version, options)...)
}
`;
  }

  #isVersioned(row: string): boolean {
    const version = this.#api.fields(row).get('version');
    return version !== undefined && /^(?:int(?:32|64)?|string)$/.test(this.#api.resolved(version.type));
  }

  #change(get: Call, update: Call): string {
    const [read, patch] = [get.result, update.body];
    if (!read || !patch || get.isAsking || update.isAsking) return '';
    const args = get.path.map(({ name }) => `${name}, `).join('');
    const unasked = (call: Call) => (call.params ? 'nil, ' : '');
    const options = this.#isVersioned(read) ? 'since(current.Version, options)...' : 'options...';
    return `
// Change reads one and makes the change that patchOf answers with, and does both again where somebody else was faster. nil leaves
// it as it is.
${this.#signature('Change', { path: get.path, params: undefined, body: undefined }, `patchOf func(current *${qualified(read)}) (*${patch}, error)`)} (*${qualified(read)}, error) {
	return change(func() (*${qualified(read)}, error) {
		return r.Get(ctx, ${args}${unasked(get)}options...)
	}, patchOf, func(current *${qualified(read)}, patch ${patch}) (*${qualified(read)}, error) {
		return r.Update(ctx, ${args}${unasked(update)}patch, ${options})
	})
}
`;
  }
}

/** A type of the package `api`, as others spell it. */
const qualified = (type: string): string => type.replace(/(?<![\w.])[A-Z]\w*/g, 'api.$&');

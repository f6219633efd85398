import type { SampleParameter, SampleRequest } from '../../../compiler/emit/index.ts';
import { flat, schemaNameOf, type ValueSchema } from '../../../compiler/json-schema/index.ts';
import type { ContractModel, OperationModel } from '../../../compiler/model/index.ts';
import { CONSISTENCY_TOKEN } from '../../../descriptor/consistency-token.ts';
import type { Parameter } from '../../../descriptor/document.ts';
import { pathParameters } from '../../../descriptor/sent-path.ts';
import { valueNames } from './go-document.ts';
import { BY_OPTIONS } from './go-methods.ts';
import { goName } from './go-names.ts';

/** A value that has its type without the place where it stands. */
interface Typed {
  readonly type: string;
  readonly text: string;
}

/** The arguments of a call of the client, whose package is called `own`. */
export class GoCall {
  readonly request: SampleRequest;
  readonly name: string;
  readonly own: string;
  /** Ids, with the context before them. */
  readonly path: readonly string[];
  /** Whether the types of all of them are known here. */
  isSpelt = true;
  readonly #model: ContractModel;
  readonly #operation: OperationModel;

  constructor(model: ContractModel, operation: OperationModel, request: SampleRequest, own: string) {
    this.#model = model;
    this.#operation = operation;
    this.request = request;
    this.own = own;
    this.name = goName(request.operationId);
    const ids = pathParameters(request.path).map((name) => request.inPath.find((one) => one.name === name));
    this.path = ['ctx', ...ids.map((id) => this.#literal(id))];
  }

  /** The parameters that the method takes, where it takes any: all, or, of an action, those beside its options. */
  params(isAction: boolean): readonly string[] {
    const { inQuery, inHeader } = this.request;
    const isTaken = (name: string): boolean =>
      name !== CONSISTENCY_TOKEN && !(isAction && BY_OPTIONS.has(name.toLowerCase()));
    const declared = this.#operation.parameters.filter((one) => one.in !== 'path' && isTaken(one.name));
    if (declared.some((one) => one.in === 'cookie' && one.required)) this.isSpelt = false;
    if (declared.length === 0) return [];
    const fields = [...inQuery, ...inHeader]
      .filter(({ name, isRequired }) => isRequired && isTaken(name))
      .map((one) => {
        const isAsked = declared.some(({ name, required }) => name === one.name && required);
        return `${goName(one.name)}: ${isAsked ? this.#literal(one) : this.#optional(one)}`;
      });
    return [fields.length === 0 ? 'nil' : `&api.${this.name}Params{${fields.join(', ')}}`];
  }

  /** A version, and a key of one's own. */
  options(): readonly string[] {
    return this.request.inHeader.flatMap(({ name, value, isRequired }) => {
      if (isRequired && name.toLowerCase() === 'if-match') return [`${this.own}.IfVersion(1)`];
      return isRequired && name.toLowerCase() === 'idempotency-key'
        ? [`${this.own}.IdempotencyKey(${JSON.stringify(value)})`]
        : [];
    });
  }

  #schemaOf = (parameter: SampleParameter | undefined): Parameter['schema'] =>
    this.#operation.parameters.find(({ name }) => name === parameter?.name)?.schema;

  #literal(parameter: SampleParameter | undefined): string {
    const { type, format = '' } = flat(this.#model.document, this.#schemaOf(parameter) as ValueSchema | undefined);
    const given = parameter?.given;
    const kind = [type].flat().find((one) => one !== 'null');
    if (kind === 'string' && typeof given === 'string' && !/^date|^byte$|^binary$/.test(format))
      return format === 'uuid' ? `uuid.MustParse(${JSON.stringify(given)})` : JSON.stringify(given);
    if (kind === typeof given || (kind === 'integer' && Number.isInteger(given))) return String(given);
    this.isSpelt = false;
    return '';
  }

  /** A field of parameters that may be left out: a slice, or a pointer. */
  #optional(parameter: SampleParameter): string {
    const schema = (this.#schemaOf(parameter) ?? {}) as ValueSchema;
    const { given } = parameter;
    const isList = Array.isArray(given);
    const values = [given]
      .flat()
      .map((one) => this.#typed(isList ? flat(this.#model.document, schema).items : schema, one));
    const [first] = values;
    if (!first || values.includes(undefined)) this.isSpelt = false;
    const texts = values.map((one) => one?.text).join(', ');
    return isList ? `[]${first?.type}{${texts}}` : `${this.own}.Of(${texts})`;
  }

  #typed(schema: ValueSchema = {}, given: unknown): Typed | undefined {
    const { type, format = '', ...own } = flat(this.#model.document, schema);
    if (own.enum) {
      const name = schemaNameOf(schema);
      const constant = valueNames(own)?.[own.enum.indexOf(given)];
      return name && constant ? { type: `api.${goName(name)}`, text: `api.${goName(name)}${constant}` } : undefined;
    }
    const kind = [type].flat().find((one) => one !== 'null');
    const [named, text] = KINDS[`${kind} ${format}`] ?? [];
    return named && text ? { type: named, text: text(given) } : undefined;
  }
}

const time = (given: unknown): string => {
  const [year, month, day, ...clock] = String(given).match(/\d+/g)?.map(Number) ?? [];
  return `time.Date(${[year, month, day, ...[0, 1, 2].map((index) => clock[index] ?? 0), 0].join(', ')}, time.UTC)`;
};

/** The types of values, by type and format. */
const KINDS: Readonly<Record<string, readonly [type: string, text: (given: unknown) => string]>> = {
  'string ': ['string', (given) => JSON.stringify(given)],
  'string uuid': ['uuid.UUID', (given) => `uuid.MustParse(${JSON.stringify(given)})`],
  'string date': ['types.Date', (given) => `types.Date{Time: ${time(given)}}`],
  'string date-time': ['time.Time', time],
  'boolean ': ['bool', String],
  'integer ': ['int', String],
  'integer int32': ['int32', (given) => `int32(${given})`],
  'integer int64': ['int64', (given) => `int64(${given})`],
  'number ': ['float32', (given) => `float32(${given})`],
  'number double': ['float64', (given) => `float64(${given})`],
};

/** A text that may have several lines: raw strings have no carriage returns. */
export const goRaw = (text: string): string => (/[`\r]/.test(text) ? JSON.stringify(text) : `\`${text}\``);

import { BUDGET, givenExamples, MAX_VALUES, type ValueSchema } from '../../compiler/json-schema/index.ts';
import { isJson, sentType } from '../../descriptor/content.ts';
import type { MediaType, OpenApiDocument } from '../../descriptor/document.ts';
import { once } from '../../descriptor/once.ts';
import type { SchemaRegistry } from '../../runtime/schema/index.ts';
import type { LifelikeValues } from '../../tools/samples/index.ts';

const EXAMPLE = 0.5;
/** Draws until a body fits its schema: alternatives may overlap, and bounds of one may exclude what others draw. */
const MAX_ATTEMPTS = 20;
/** Of a body that is made up. */
const MAX_BYTES = 65_536;

/** Makes the contents of one media type. */
export interface ContentMaker {
  /** Does what takes long before the first answer. */
  prepare(): void;
  make(params: Readonly<Record<string, unknown>>): Made & { readonly contentType: string };
}

export function contentMaker(
  document: OpenApiDocument,
  type: string,
  media: MediaType,
  values: LifelikeValues,
  schemas: SchemaRegistry,
): ContentMaker {
  const contentType = sentType(type);
  if (isJson(contentType)) {
    const { prepare, make } = bodyMaker(document, media, values, schemas);
    return { prepare, make: (params) => ({ contentType, ...make(params) }) };
  }
  const make = () => {
    const text = String(values.of('text', { type: 'string', maxLength: 80 }));
    return { contentType, body: contentType.startsWith('text/') ? text : Buffer.from(text) };
  };
  return { prepare: () => undefined, make };
}

/** A body, and why it does not meet its schema if it does not. */
interface Made {
  readonly body: unknown;
  readonly fault?: string;
}

/** Makes bodies by the schema, and of the examples that fit it. A schema that no draw has met is answered as it came. */
function bodyMaker(document: OpenApiDocument, media: MediaType, values: LifelikeValues, schemas: SchemaRegistry) {
  const schema = media.schema as ValueSchema | undefined;
  const check = schemas.output(media.schema ?? true);
  const faultOf = (value: unknown): string | undefined => {
    const [fault] = check(JSON.parse(JSON.stringify(value))) ?? [];
    return fault && `${'pointer' in fault && fault.pointer !== '' ? fault.pointer : 'the body'} ${fault.detail}`;
  };
  const isFit = (value: unknown): boolean => value !== undefined && faultOf(value) === undefined;
  const known = once(() => ({
    examples: givenExamples(document, media).filter(isFit),
    tooLarge: largeness(values.leastSize(schema)),
  }));
  const prepare = (): void => {
    check(null);
    known();
  };
  const make = (params: Readonly<Record<string, unknown>>): Made => {
    const { examples, tooLarge } = known();
    if (examples.length > 0 && values.random.chance(EXAMPLE)) return { body: values.random.pick(examples) };
    let last: Made = { body: null, fault: tooLarge ?? 'its schema does not describe a value' };
    let budget = BUDGET;
    for (let i = 0; i < MAX_ATTEMPTS; i += 1) {
      const drawn = values.of('', schema, { budget });
      if (drawn === undefined) break;
      if (Buffer.byteLength(JSON.stringify(drawn)) > MAX_BYTES) {
        last = { body: null, fault: `it would have more than ${MAX_BYTES} bytes` };
        budget = Math.floor(budget / 4);
        continue;
      }
      const about = withParams(drawn, params);
      if (isFit(about)) return { body: about };
      const fault = faultOf(drawn);
      if (fault === undefined) return { body: drawn };
      last = { body: drawn, fault };
    }
    return examples.length > 0 ? { body: examples[0] } : last;
  };
  return { prepare, make };
}

function largeness(size: number): string | undefined {
  if (size <= MAX_VALUES) return undefined;
  return Number.isFinite(size)
    ? `its smallest value is made of ${size} values, more than ${MAX_VALUES}`
    : 'no value meets its schema, which contains itself without an end or excludes all values';
}

/** Copies path parameters into the properties of the same name, so that the answer is about what was asked for. */
function withParams(body: unknown, params: Readonly<Record<string, unknown>>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const shared = Object.entries(params).filter(([name]) => Object.hasOwn(body, name));
  return { ...body, ...Object.fromEntries(shared) };
}

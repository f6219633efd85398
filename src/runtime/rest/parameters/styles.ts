import { MAX_OPEN_VALUES } from '../../../descriptor/body-values.ts';
import type { OpenApiDocument, Parameter, Schema } from '../../../descriptor/document.ts';
import { HandlerError } from '../../errors/handler-error.ts';
import { isReference, resolveReference } from '../../schema/reference.ts';
import { scalarDecoder, typesOf } from './scalar.ts';

/** A decoded value, or what is wrong with it, and with which property or item. */
export type Decoded = { readonly value: unknown } | { readonly detail: string; readonly at?: string };

/**
 * Decodes the raw texts of one parameter. `plain` decodes the percent-encoding of a raw text in a query, and returns any
 * other text as it is.
 */
export type DecodeTexts = (raws: readonly string[], plain: (raw: string) => string) => Decoded;

const DELIMITERS: Readonly<Record<string, string | RegExp>> = {
  spaceDelimited: / |%20|\+/,
  pipeDelimited: /\||%7C/i,
};

/** The style of a parameter, with OpenAPI's defaults (3.1, 4.8.12.2). */
export function styleOf(parameter: Parameter): { readonly style: string; readonly explode: boolean } {
  const style = parameter.style ?? (parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple');
  return { style, explode: parameter.explode ?? style === 'form' };
}

/** The decoder for a parameter's schema and style. Throws for a style that is not supported. */
export function textsDecoder(document: OpenApiDocument, parameter: Parameter): DecodeTexts {
  const schema = resolved(document, parameter.schema ?? true);
  const { style, explode } = styleOf(parameter);
  const types = typesOf(document, schema);
  const kind = types.has('array') ? 'array' : types.has('object') ? 'object' : 'scalar';
  if (parameter.in === 'path' && (style === 'label' || style === 'matrix'))
    return prefixedDecoder(document, schema, parameter, kind);
  if (style !== 'form' && style !== 'simple' && !(style in DELIMITERS) && style !== 'deepObject')
    throw new HandlerError(`Parameter ${parameter.name}: style ${style} is not served`);
  if (kind === 'array') return arrayDecoder(document, schema, DELIMITERS[style] ?? ',', explode && style !== 'simple');
  if (kind === 'object') return delimitedObjectDecoder(document, schema, explode);
  return single(scalarOf(document, schema));
}

/**
 * The styles of paths that begin with their delimiter: `label` is `.5`, `.3,4`, exploded `.3.4` and `.R=100.G=200`;
 * `matrix` is `;id=5`, `;id=3,4`, exploded `;id=3;id=4` and `;R=100;G=200` (RFC 6570, 3.2.5 and 3.2.7).
 */
function prefixedDecoder(
  document: OpenApiDocument,
  schema: Schema,
  parameter: Parameter,
  kind: 'array' | 'object' | 'scalar',
): DecodeTexts {
  const { style, explode } = styleOf(parameter);
  const delimiter = style === 'label' ? '.' : ';';
  const isNamed = style === 'matrix' && !(kind === 'object' && explode);
  const label = isNamed ? `;${parameter.name}` : delimiter;
  const decode =
    kind === 'array'
      ? arrayDecoder(document, schema, ',', explode)
      : kind === 'object'
        ? delimitedObjectDecoder(document, schema, explode, explode ? delimiter : ',')
        : single(scalarOf(document, schema));
  const unlabelled = (text: string): string | undefined => {
    if (!isNamed) return text.startsWith(label) ? text.slice(label.length) : undefined;
    return text === label ? '' : text.startsWith(`${label}=`) ? text.slice(label.length + 1) : undefined;
  };
  return ([raw = ''], plain) => {
    const isList = kind === 'array' && explode;
    const texts = isList && isNamed ? raw.split(/(?=;)/).map(unlabelled) : [unlabelled(raw)];
    if (texts.includes(undefined)) return { detail: `must begin with ${label}` };
    const values = texts as string[];
    return decode(isList && !isNamed ? values[0]!.split(delimiter) : values, plain);
  };
}

/** Decodes scalars of one schema: with type integer, `5` is valid and `05` is not. */
export function scalarOf(document: OpenApiDocument, schema: Schema): (text: string) => Decoded {
  const { decode, expected } = scalarDecoder(document, schema);
  return (text) => {
    const value = decode(text);
    return value === undefined ? { detail: `must be ${expected}` } : { value };
  };
}

/** Decodes a value that may only be given once. */
export function single(decode: (text: string) => Decoded): DecodeTexts {
  return (raws, plain) => (raws.length === 1 ? decode(plain(raws[0]!)) : { detail: 'must be given once' });
}

/**
 * Decodes a list, whose values may stand in one text or in several: `?a=1,2` and `?a=1&a=2` are the same, whichever of them
 * is declared. Where the delimiter may be part of an item, `explode` says that a text is one item.
 */
function arrayDecoder(
  document: OpenApiDocument,
  schema: Schema,
  delimiter: string | RegExp,
  explode: boolean,
): DecodeTexts {
  const items = (typeof schema === 'object' ? schema.items : undefined) as Schema | undefined;
  const decode = scalarOf(document, items ?? true);
  const isPlain = delimiter === ',' && !mayContainComma(document, items ?? true);
  const maxItems = typeof schema === 'object' ? (schema.maxItems as number | undefined) : undefined;
  const most = Math.max(MAX_OPEN_VALUES, maxItems ?? 0);
  const partsOf = (raw: string, plain: (raw: string) => string): readonly string[] => {
    if (isPlain) return plain(raw).split(',', most + 1);
    return explode ? [plain(raw)] : raw.split(delimiter, most + 1).map(plain);
  };
  return (raws, plain) => {
    const values: unknown[] = [];
    for (const raw of raws) {
      for (const part of partsOf(raw, plain)) {
        if (values.length === most) return { detail: `must have at most ${most} items` };
        const decoded = decode(part);
        if ('detail' in decoded) return { ...decoded, at: String(values.length) };
        values.push(decoded.value);
      }
    }
    return { value: values };
  };
}

/**
 * An encoded comma is data, but many clients encode the delimiter: if no item can contain a comma, both are delimiters.
 */
function mayContainComma(document: OpenApiDocument, items: Schema): boolean {
  const schema = resolved(document, items);
  if (typeof schema === 'boolean') return true;
  if (Array.isArray(schema.enum)) return schema.enum.some((value) => String(value).includes(','));
  if (!typesOf(document, schema).has('string')) return false;
  return !['uuid', 'date', 'date-time', 'int64', 'decimal'].includes(schema.format as string);
}

/** `R,100,G,200`, or exploded `R=100,G=200`. */
function delimitedObjectDecoder(
  document: OpenApiDocument,
  schema: Schema,
  explode: boolean,
  delimiter = ',',
): DecodeTexts {
  const decodeProperty = propertyDecoder(document, schema);
  return (raws, plain) => {
    if (raws.length > 1) return { detail: 'must be given once' };
    const parts = raws[0]!.split(delimiter, 2 * MAX_OPEN_VALUES + 1);
    if (parts.length > 2 * MAX_OPEN_VALUES) return { detail: `must have at most ${MAX_OPEN_VALUES} properties` };
    if (!explode && parts.length % 2 === 1) return { detail: 'must be a list of names and values' };
    const value: Record<string, unknown> = Object.create(null);
    const size = explode ? 1 : 2;
    for (let i = 0; i < parts.length; i += size) {
      const [name = '', text = ''] = explode ? splitPair(parts[i]!) : parts.slice(i, i + 2);
      const decoded = decodeProperty(plain(name), plain(text));
      if ('detail' in decoded) return { ...decoded, at: plain(name) };
      value[plain(name)] = decoded.value;
    }
    return { value };
  };
}

function splitPair(text: string): [string, string] {
  const split = text.indexOf('=');
  return split === -1 ? [text, ''] : [text.slice(0, split), text.slice(split + 1)];
}

/** Decodes properties of an object by their schemas. An unknown property remains text: validation will reject it. */
export function propertyDecoder(document: OpenApiDocument, schema: Schema): (name: string, text: string) => Decoded {
  const properties = propertiesOf(document, schema);
  const decoders = new Map([...properties].map(([name, property]) => [name, scalarOf(document, property)]));
  return (name, text) => decoders.get(name)?.(text) ?? { value: text };
}

/** The properties of an object schema, including those from references and `allOf`. */
export function propertiesOf(document: OpenApiDocument, schema: Schema): ReadonlyMap<string, Schema> {
  const target = resolved(document, schema);
  if (typeof target === 'boolean') return new Map();
  const own = Object.entries((target.properties ?? {}) as Readonly<Record<string, Schema>>);
  const parts = (target.allOf ?? []) as readonly Schema[];
  return new Map([...parts.flatMap((part) => [...propertiesOf(document, part)]), ...own]);
}

export const resolved = (document: OpenApiDocument, schema: Schema): Schema =>
  isReference(schema) ? (resolveReference(document, schema.$ref) as Schema) : schema;

import { MAX_OPEN_VALUES } from '../../../descriptor/body-limits.ts';
import type { ListForm, ObjectForm, ParameterDescriptor } from '../../../descriptor/rest.ts';
import { HandlerError } from '../../errors/handler-error.ts';
import { type Decoded, type DecodeText, scalarDecoder } from './scalar.ts';
import type { Plain } from './text-reader.ts';

/** Decodes the raw texts of one parameter. */
export type DecodeTexts = (raws: readonly string[], plain: Plain) => Decoded;

const DELIMITERS: Readonly<Record<string, string | RegExp>> = {
  form: ',',
  simple: ',',
  spaceDelimited: / |%20|\+/,
  pipeDelimited: /\||%7C/i,
  deepObject: ',',
};

/** What a text in a path begins with, and what its parts are delimited by where they are exploded. */
const PREFIXES: Readonly<Record<string, string>> = { label: '.', matrix: ';' };

/** A parameter that is neither plain text nor JSON. */
type Written = Exclude<ParameterDescriptor, { readonly kind: 'text' | 'json' }>;
type WrittenList = ListForm & Pick<Written, 'in'>;

/** The decoder for the form of a parameter. Throws `HandlerError` for a style that is not served. */
export function textsDecoder(parameter: Written): DecodeTexts {
  const { name, in: place, style } = parameter;
  if (place === 'path' && style in PREFIXES) return prefixedDecoder(parameter, PREFIXES[style]!);
  if (!(style in DELIMITERS)) throw new HandlerError(`Parameter ${name}: style ${style} is not served`);
  return decoderOf(parameter);
}

function decoderOf(parameter: Written): DecodeTexts {
  if (parameter.kind === 'list') return listDecoder(parameter);
  return parameter.kind === 'object' ? delimitedObjectDecoder(parameter) : single(scalarDecoder(parameter.types));
}

/**
 * The styles of paths that begin with their delimiter: `label` is `.5`, `.3,4`, exploded `.3.4` and `.R=100.G=200`;
 * `matrix` is `;id=5`, `;id=3,4`, exploded `;id=3;id=4` and `;R=100;G=200` (RFC 6570, 3.2.5 and 3.2.7).
 */
function prefixedDecoder(parameter: Written, delimiter: string): DecodeTexts {
  const { name, kind, style, explode } = parameter;
  const isNamed = style === 'matrix' && !(kind === 'object' && explode);
  const label = isNamed ? `;${name}` : delimiter;
  const decode = decoderOf(parameter);
  const unlabelled = (text: string): string | undefined => {
    if (!isNamed) return text.startsWith(label) ? text.slice(label.length) : undefined;
    return text === label ? '' : text.startsWith(`${label}=`) ? text.slice(label.length + 1) : undefined;
  };
  return ([raw = ''], plain) => {
    const isList = kind === 'list' && explode;
    const texts = isList && isNamed ? raw.split(/(?=;)/).map(unlabelled) : [unlabelled(raw)];
    if (texts.includes(undefined)) return { detail: `must begin with ${label}` };
    const values = texts as string[];
    return decode(isList && !isNamed ? values[0]!.split(delimiter) : values, plain);
  };
}

/** Decodes a value that may only be given once. */
export function single(decode: DecodeText): DecodeTexts {
  return (raws, plain) => (raws.length === 1 ? decode(plain(raws[0]!)) : { detail: 'must be given once' });
}

/**
 * Decodes a list, whose values may stand in one text or in several: `?a=1,2` and `?a=1&a=2` are the same, whichever of them
 * is declared. Where the delimiter may be part of an item, `explode` says that a text is one item. In a header field, spaces
 * around a delimiter do not belong to the items (RFC 9110, 5.6.1).
 */
function listDecoder({ in: place, style, explode, items, hasCommas, maxItems = 0 }: WrittenList): DecodeTexts {
  const decode = scalarDecoder(items);
  const delimiter = DELIMITERS[style] ?? ',';
  const isPlain = delimiter === ',' && !hasCommas && place !== 'header';
  const isOneItem = explode && style !== 'simple';
  const most = Math.max(MAX_OPEN_VALUES, maxItems);
  const partsOf = (raw: string, plain: Plain): readonly string[] => {
    if (isPlain) return plain(raw).split(',', most + 1);
    return isOneItem ? [plain(raw)] : raw.split(delimiter, most + 1).map(plain);
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

/** `R,100,G,200`, or exploded `R=100,G=200`. */
function delimitedObjectDecoder(form: ObjectForm): DecodeTexts {
  const { style, explode } = form;
  const decodeProperty = propertyDecoder(form);
  const delimiter = (explode && PREFIXES[style]) || ',';
  return (raws, plain) => {
    if (raws.length > 1) return { detail: 'must be given once' };
    const parts = raws[0]!.split(delimiter, 2 * MAX_OPEN_VALUES + 1);
    if (parts.length > 2 * MAX_OPEN_VALUES) return { detail: `must have at most ${MAX_OPEN_VALUES} properties` };
    if (!explode && parts.length % 2 === 1) return { detail: 'must be a list of names and values' };
    const value: Record<string, unknown> = Object.create(null);
    const size = explode ? 1 : 2;
    for (let i = 0; i < parts.length; i += size) {
      const [name = '', text = ''] = explode ? parts[i]!.split(/=(.*)/s, 2) : parts.slice(i, i + 2);
      const decoded = decodeProperty(plain(name), [plain(text)]);
      if ('detail' in decoded) return { ...decoded, at: plain(name) };
      value[plain(name)] = decoded.value;
    }
    return { value };
  };
}

/** Decodes the properties of an object: a list has an item for each text. An unknown property remains text: validation will reject it. */
export function propertyDecoder({ properties, lists = {} }: ObjectForm) {
  const decoders = new Map(Object.entries({ ...properties, ...lists }).map(([key, own]) => [key, scalarDecoder(own)]));
  return (name: string, texts: readonly string[]): Decoded => {
    const items = texts.map(decoders.get(name) ?? ((value) => ({ value })));
    if (!Object.hasOwn(lists, name)) return items.length === 1 ? items[0]! : { detail: 'must be given once' };
    return items.find((item) => 'detail' in item) ?? { value: items.map((item) => 'value' in item && item.value) };
  };
}

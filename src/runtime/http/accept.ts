import * as contentType from 'content-type';

/** A media range of `Accept` (RFC 9110, 12.5.1). */
interface MediaRange {
  /** In lower case: a media type, `image/*` or any. */
  readonly type: string;
  readonly parameters: Parameters;
  /** 0: refused. */
  readonly quality: number;
}

export type Parameters = Readonly<Record<string, string | undefined>>;

/** A media type that a server can answer with. */
export interface Offer {
  readonly name: string;
  readonly type: string;
  readonly parameters: Parameters;
  /** The parameters by which another offer of the same type differs: a range chooses by no others. */
  readonly distinct: readonly string[];
}

/** How well a range matches an offer. */
interface Match {
  readonly quality: number;
  readonly specificity: number;
  /** Position of the range. */
  readonly at: number;
}

const ANY = '*/*';

/** The offered media type that `Accept` prefers; of equal ones, the first. Undefined if every one is refused. */
export function preferredType(accept: string, offered: readonly string[]): string | undefined {
  const ranges = rangesOf(accept);
  const accepted = offersOf(offered).flatMap((offer) => {
    const match = matchOf(offer, ranges);
    return match && match.quality > 0 ? [{ ...match, name: offer.name }] : [];
  });
  return accepted.sort(preference)[0]?.name;
}

/** Negative if the first is preferred. */
const preference = (one: Match, other: Match): number =>
  other.quality - one.quality || other.specificity - one.specificity || one.at - other.at;

/** The most specific range of those that match; of two alike, the one with the higher quality. */
function matchOf({ type, parameters, distinct }: Offer, ranges: readonly MediaRange[]): Match | undefined {
  const matches = ranges.flatMap((range, at): Match | readonly [] => {
    // An offer of `image/*` may turn out to be any of it.
    const isWithin = type === ANY || (type.endsWith('/*') && range.type.startsWith(type.slice(0, -1)));
    const place = isWithin ? 2 : [ANY, `${type.slice(0, type.indexOf('/'))}/*`, type].lastIndexOf(range.type);
    const asked = distinct.filter((name) => range.parameters[name] !== undefined);
    if (place === -1 || asked.some((name) => !isEqual(range.parameters[name], parameters[name]))) return [];
    return { quality: range.quality, specificity: place * 100 + asked.length, at };
  });
  return matches.sort((one, other) => other.specificity - one.specificity || preference(one, other))[0];
}

function rangesOf(accept: string): readonly MediaRange[] {
  const ranges: MediaRange[] = [];
  for (let start = 0; start < accept.length; ) {
    const { type, parameters, index } = contentType.parse(accept, { comma: true, start });
    const { q = '1', ...others } = parameters;
    if (type !== '') ranges.push({ type, parameters: others, quality: Number.parseFloat(q) });
    start = index + 1;
  }
  return ranges;
}

export function offersOf(offered: readonly string[]): readonly Offer[] {
  const offers = offered.map((name) => ({ name, ...contentType.parse(name) }));
  return offers.map((offer) => {
    const siblings = offers.filter(({ type }) => type === offer.type);
    const names = new Set(siblings.flatMap(({ parameters }) => Object.keys(parameters)));
    const isDistinct = (name: string): boolean =>
      siblings.some(({ parameters }) => !isEqual(parameters[name], offer.parameters[name]));
    return { ...offer, distinct: [...names].filter(isDistinct) };
  });
}

export const isEqual = (one: string | undefined, other: string | undefined): boolean =>
  one?.toLowerCase() === other?.toLowerCase();

/** A heading of a page. */
export interface Section {
  readonly id: string;
  /** HTML without tags. */
  readonly title: string;
  readonly level: number;
}

const HEADING = /<h([23]) id="([^"]+)"[^>]*>([\s\S]*?)<\/h\1>/g;

/** The headings of levels 2 and 3 in the HTML of a page. */
export const sectionsIn = (html: string): readonly Section[] =>
  [...html.matchAll(HEADING)].map(([, level, id, inner]) => ({
    id: id!,
    title: inner!.replace(/<[^>]+>/g, ''),
    level: Number(level),
  }));

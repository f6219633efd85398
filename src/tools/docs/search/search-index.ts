import type { ContractModel } from '../../../compiler/model/model.ts';
import { namedSchemas } from '../../../compiler/model/schemas.ts';
import type { Operation } from '../../../descriptor/document.ts';
import type { Page } from '../layout/page.ts';

/** What is found, and where it leads. */
interface Entry {
  readonly id: number;
  readonly title: string;
  /** Other words by which it is found. */
  readonly words: string;
  /** Title of the page. */
  readonly page: string;
  /** Path in the site, with a fragment. */
  readonly path: string;
  readonly text: string;
}

const MAX_TEXT = 1_200;
const HEADING = /<h[1234] id="([^"]+)"[^>]*>([\s\S]*?)<\/h[1234]>/g;

/** A script that holds what search needs: each section of each page, each operation, each schema of REST. */
export function searchIndex(
  model: ContractModel,
  pages: readonly Page[],
  restPath: (operationId: string) => string,
): string {
  const found = [
    ...operations(model, restPath),
    ...schemas(model),
    ...pages.filter(({ isWide }) => !isWide).flatMap(sections),
  ];
  const entries = found.map((entry, id): Entry => ({ id, ...entry, text: entry.text.slice(0, MAX_TEXT) }));
  return `globalThis.searchIndex = ${JSON.stringify(entries)};\n`;
}

type Found = Omit<Entry, 'id'>;

function operations({ operations: all }: ContractModel, restPath: (operationId: string) => string): Found[] {
  return all.map(({ operationId, method, path, node, errorCodes }) => {
    const { summary, description = '' } = node as Operation & Readonly<Record<string, string | undefined>>;
    return {
      title: summary ?? operationId,
      words: `${operationId} ${method} ${path}`,
      page: `REST · ${method.toUpperCase()} ${path}`,
      path: restPath(operationId),
      text: `${description} ${errorCodes.join(' ')}`,
    };
  });
}

function schemas({ document }: ContractModel): Found[] {
  return Object.entries(namedSchemas(document)).map(([name, schema]) => {
    const { description = '', properties = {} } = (typeof schema === 'object' ? schema : {}) as {
      readonly description?: string;
      readonly properties?: object;
    };
    const text = `${description} ${Object.keys(properties).join(' ')}`;
    return { title: name, words: '', page: 'REST · schema', path: `docs/rest.html#model/${name}`, text };
  });
}

/** The headings of a page, each with what stands below it. */
function sections({ body, title, path }: Page): Found[] {
  const headings = [...body.matchAll(HEADING)];
  return headings.map((heading, index) => {
    const [whole, id, inner] = heading;
    const text = body.slice(heading.index + whole.length, headings[index + 1]?.index ?? body.length);
    return { title: plainText(inner!), words: '', page: title, path: `${path}#${id}`, text: plainText(text) };
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

const plainText = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, ' ')
    .trim();

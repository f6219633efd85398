import MarkdownIt, { type Token } from 'markdown-it';
import anchor from 'markdown-it-anchor';
import { drawn } from './diagram.ts';
import { classOf } from './table-labels.ts';

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.use(anchor, { permalink: anchor.permalink.headerLink({ safariReaderFix: true }) });

/**
 * Each cell knows its heading: on a narrow screen a row becomes a block of labelled lines. Of tables that many pages have, the styles
 * know the headings.
 */
markdown.core.ruler.push('labels', ({ tokens }) => {
  let opened: Token | undefined;
  let labels: string[] = [];
  let known: string | undefined;
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') opened = token;
    if (token.type === 'thead_open') labels = [];
    if (token.type === 'thead_close') known = classOf(labels);
    if (token.type === 'thead_close' && known !== undefined) opened?.attrSet('class', known);
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') {
      const label = tokens[index + 1]!.content.replaceAll('`', '');
      labels.push(label);
      // What says nothing heads nothing.
      if (label === '') tokens[index]!.tag = tokens[index + 2]!.tag = 'td';
    }
    // The policy of pages allows no inline styles.
    const alignment = String(token.attrGet('style') ?? '').replace('text-align:', '');
    if (alignment) token.attrs = [['align', alignment]];
    if (token.type === 'td_open' && known === undefined) token.attrSet('data-label', labels[column++] ?? '');
  }
});
markdown.renderer.rules['table_open'] = (tokens, index, _options, _env, self) =>
  `<div class="table"><table${self.renderAttrs(tokens[index]!)}>\n`;
markdown.renderer.rules['table_close'] = () => '</table></div>\n';

/** What samples of one thing in several languages are called; authors may write what they like after a language. */
const LABELS = new Set(['curl', 'TypeScript', 'Python', 'Go', 'Java', 'GraphQL', 'Document', 'Variables']);

function labelIn(info: string): string | undefined {
  const label = info.slice(info.indexOf(' ') + 1);
  return LABELS.has(label) ? label : undefined;
}

const fence = markdown.renderer.rules.fence!;
markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
  const { info, content: source } = tokens[index]!;
  const svg = info === 'mermaid' ? drawn(source) : undefined;
  if (svg !== undefined)
    return `<figure class="diagram" role="img" aria-label="Diagram; the table below says the same.">${svg}</figure>\n`;
  const label = labelIn(info);
  const [, head = '', content = ''] =
    /^(<pre>.*?<code[^>]*>)([\s\S]*)$/.exec(fence(tokens, index, options, env, self)) ?? [];
  // In a text, quotes are themselves.
  const text = head.replace('<pre>', '<pre tabindex="0">') + content.replaceAll('&quot;', '"');
  if (label === undefined) return text;
  const named = (at: number): boolean => tokens[at]?.type === 'fence' && labelIn(tokens[at].info) !== undefined;
  // Fences with labels that follow each other are one sample in several languages.
  const open = named(index - 1) ? '' : '<div class="samples">\n';
  const close = named(index + 1) ? '' : '</div>\n';
  return `${open}<section class="sample" data-label="${escaped(label)}"><h4>${escaped(label)}</h4>\n${text}</section>\n${close}`;
};

/** Markdown as HTML; HTML in it is escaped. */
export const rendered = (text: string): string => markdown.render(text);

/** A text, escaped for HTML. */
export const escaped = (text: string): string => markdown.utils.escapeHtml(text);

/** A text, escaped for Markdown and on one line. */
export const plain = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&').replace(/\s+/g, ' ');

/** Markdown on one line. */
export const inline = (text: string): string => text.trim().replace(/\s+/g, ' ');

export const code = (text: string): string =>
  text === '' ? '' : `\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\``;

/** A block of code; with a label, it is one of several languages if others follow. */
export const block = (language: string, text: string, label?: string): string => {
  const quotes = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([some]) => some.length + 1)));
  return `${quotes}${language}${label === undefined ? '' : ` ${label}`}\n${text.trimEnd()}\n${quotes}\n`;
};

export const json = (value: unknown, label?: string): string =>
  block('json', JSON.stringify(value, undefined, 2), label);

/** Parts of Markdown, with a line between. */
export const lines = (...parts: readonly (string | false | undefined)[]): string => {
  const texts = parts.flatMap((part) => (part && part.trim() !== '' ? [part.trim()] : []));
  return `${texts.join('\n\n')}\n`;
};

/** What there is, as items of Markdown. */
export const items = (lines: readonly (string | false | undefined)[]): string =>
  lines
    .filter(Boolean)
    .map((line) => `- ${line}`)
    .join('\n');

/** The words of a description up to the end of its first sentence, on one line. */
export const firstSentence = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
};

/** Markdown as plain text, on one line. */
export const withoutMarkup = (text: string): string =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>)[ \t]+/gm, '')
    .replace(/[`*]|\\(?=[^\w\s])/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A table in Markdown; cells are Markdown on one line. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|') || ' ').join(' | ')} |`;
  return rows.length === 0 ? '' : [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

import MarkdownIt from 'markdown-it';
import anchor from 'markdown-it-anchor';

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.use(anchor, { permalink: anchor.permalink.headerLink({ safariReaderFix: true }) });

/** Each cell knows its heading: on a narrow screen a row becomes a block of labelled lines. */
markdown.core.ruler.push('labels', ({ tokens }) => {
  let labels: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') labels = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') labels.push(tokens[index + 1]!.content.replaceAll('`', ''));
    // The policy of pages allows no inline styles.
    const alignment = String(token.attrGet('style') ?? '').replace('text-align:', '');
    if (alignment) token.attrs = [['align', alignment]];
    if (token.type === 'td_open') token.attrSet('data-label', labels[column++] ?? '');
  }
});
markdown.renderer.rules['table_open'] = () => '<div class="table"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';

const fence = markdown.renderer.rules.fence!;
markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
  const { info, content } = tokens[index]!;
  if (info !== 'mermaid') return fence(tokens, index, options, env, self).replace('<pre>', '<pre tabindex="0">');
  return `<pre class="mermaid">${escaped(content)}</pre>\n`;
};

/** Markdown as HTML; HTML in it is escaped. */
export const rendered = (text: string): string => markdown.render(text);

/** A text, escaped for HTML. */
export const escaped = (text: string): string => markdown.utils.escapeHtml(text);

/** A text, escaped for Markdown and on one line. */
export const plain = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&').replace(/\s+/g, ' ');

/** Markdown on one line, for a table cell. */
export const inline = (text: string): string => text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');

export const code = (text: string): string =>
  text === '' ? '' : `\`${text.replaceAll('`', "'").replaceAll('|', '\\|')}\``;

/** A table in Markdown; cells are Markdown on one line. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell || ' ').join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

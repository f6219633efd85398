import { createHash } from 'node:crypto';
import { renderMermaidSVG } from 'beautiful-mermaid';

/** A diagram (Mermaid) as SVG, which takes its colours from the page; undefined: it cannot be drawn. */
export function drawn(text: string): string | undefined {
  try {
    return ofPage(renderMermaidSVG(text.trim()), createHash('sha256').update(text).digest('hex').slice(0, 8));
  } catch {
    return undefined;
  }
}

/** Without styles of its own, which the policy of pages forbids, and with ids that no other diagram of a page has. */
const ofPage = (svg: string, digest: string): string =>
  svg
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/ style="[^"]*"/g, '')
    .replace(/(?<= id="|url\(#)(?=[\w-])/g, `d${digest}-`);

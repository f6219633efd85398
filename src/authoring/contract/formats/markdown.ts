import type { Finding } from '../../../compiler/findings/index.ts';
import type { Verdict } from '../../../compiler/gate/index.ts';
import { allowedChanges, pathOf } from './shown.ts';
import { MARKS } from './verdicts.ts';

/** A comment of GitHub has at most 65,536 characters. */
const MAX_LENGTH = 60_000;
/** What one section may take of what is left: there is something of each. */
const SHARE = 0.6;
/** Of a message, as it is written in the comment. */
const MAX_MESSAGE = 1000;
const MAX_ITEMS = 8;

/** A finding or a change. */
type Item = Pick<Finding, 'rule' | 'subject' | 'message' | 'location'>;

/** Verdicts for a reviewer: what breaks, by operation or type, then everything else folded. The first line marks a comment that has them. */
export function formatMarkdown(verdicts: readonly Verdict[], folder: string): string {
  const findings = verdicts.flatMap((verdict): readonly Finding[] => verdict.findings);
  const allowed = verdicts.flatMap(allowedChanges);
  const of = (wanted: Finding['severity']) => findings.filter(({ severity }) => severity === wanted);
  const labelled = (wanted: string) => allowed.filter(({ label }) => label === wanted).map(({ change }) => change);
  const [breaks, errors] = [of('error').filter(isBreak), of('error').filter((one) => !isBreak(one))];
  const sections: readonly (readonly [title: string, items: readonly Item[]])[] = [
    ['Breaking changes', breaks],
    ['Errors', errors],
    ['Waived', labelled('waived')],
    ['Major changes, which a new version allows', labelled('major')],
    ['Minor changes', labelled('minor')],
    ['Patches', labelled('patch')],
    ['Warnings', of('warning')],
  ];
  const changes = verdicts.find(({ piece }) => piece === 'changes');
  const head = [
    `<!-- lockstep contract ${folder.replaceAll('--', '- -')} -->`,
    `## ${headline(verdicts, breaks.length, errors.length)}`,
    ...(changes ? [`\n${escaped(changes.summary)}.`] : []),
  ];
  const checks = folded('Checks', verdicts.map(checkLine).join('\n'));
  const shown = sections.reduce(
    (text, [title, items], at) => {
      if (items.length === 0) return text;
      const body = fitting(grouped(items, folder), (MAX_LENGTH - checks.length - text.length) * SHARE);
      const heading = `${title} (${items.length})`;
      return `${text}\n${at < 2 ? `### ${heading}\n\n${body}` : folded(heading, body)}\n`;
    },
    `${head.join('\n')}\n`,
  );
  return `${shown}\n${checks}\n`;
}

const folded = (title: string, body: string): string => `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;

const isBreak = ({ subject }: Finding): boolean => subject !== undefined;

function headline(verdicts: readonly Verdict[], breaks: number, errors: number): string {
  if (breaks > 0) return `❌ The contract breaks clients in ${breaks} ${breaks === 1 ? 'place' : 'places'}`;
  if (errors > 0) return `❌ The contract has ${errors} ${errors === 1 ? 'error' : 'errors'}`;
  const isBlocked = verdicts.some((verdict) => verdict.status === 'not-run' && verdict.isBlocked);
  return isBlocked ? '❌ The contract could not be checked' : '✅ The contract breaks no client';
}

/** A block for each operation, type or root field: `Order` has `Order.note`, `Query.orders` has `Query.orders.first`. */
function grouped(items: readonly Item[], folder: string): readonly string[] {
  const groupOf = ({ rule, subject }: Item): string =>
    subject === undefined
      ? rule
      : (/^(?:(?:Query|Mutation|Subscription)\.)?[\w$-]+(?=\.|$)/.exec(subject)?.[0] ?? subject);
  return [...Map.groupBy(items, groupOf)].map(([group, own]) => {
    const lines = own.slice(0, MAX_ITEMS).map((item) => itemLine(item, folder));
    const more = own.length > MAX_ITEMS ? [`- and ${own.length - MAX_ITEMS} more`] : [];
    return [`**${code(group)}**`, '', ...lines, ...more].join('\n');
  });
}

function itemLine({ message, location }: Item, folder: string): string {
  // The heading says whom it breaks.
  const text = message.replace(/ This breaks clients of \S+\.$/, '');
  return `- ${code(`${pathOf(folder, location)}:${location.line}`)} ${escaped(text)}`;
}

const checkLine = ({ status, piece, summary }: Verdict): string =>
  `- ${MARKS[status]} **${piece}** ${status === 'not-run' ? 'not run: ' : ''}${escaped(summary)}`;

/** As many blocks as there is space for, and the number of the rest. */
function fitting(blocks: readonly string[], space: number): string {
  let used = 0;
  const shown = blocks.filter((block) => {
    const isShown = used + block.length + 2 <= space;
    if (isShown) used += block.length + 2;
    return isShown;
  });
  const rest = blocks.length - shown.length;
  return [...shown, ...(rest > 0 ? [`…and ${rest} more of these groups.`] : [])].join('\n\n');
}

/** Words of a contract as words, and not too many: no markup but code, no mentions, no links to issues. */
function escaped(text: string): string {
  let shown = '';
  for (const [piece] of text.replace(/\s+/g, ' ').matchAll(/`[^`]+`|./gu)) {
    const next = piece.length > 2 ? piece : escapedCharacter(piece);
    const space = MAX_MESSAGE - shown.length;
    if (next.length > space) return `${shown}${piece.length > 2 ? `${piece.slice(0, space + 1)}…\`` : '…'}`;
    shown += next;
  }
  return shown;
}

function escapedCharacter(character: string): string {
  if (/[@#]/.test(character)) return `${character}&#8203;`;
  return /[\\`*_{}[\]<>~|!&]/.test(character) ? `\\${character}` : character;
}

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

import type { Finding, Location } from '../../../compiler/findings/finding.ts';
import type { Change } from '../../../compiler/gate/changes/change.ts';
import type { Verdict } from '../../../compiler/gate/gate.ts';
import { allowedChanges, pathOf } from './formats.ts';
import { MARKS } from './verdicts.ts';

/** A comment of GitHub has at most 65,536 characters. */
const MAX_LENGTH = 60_000;
/** Of what is left, what one section may take: something of each is shown. */
const SHARE = 0.6;
const MAX_MESSAGE = 1000;
const MAX_ENTRIES = 8;

interface Section {
  readonly title: string;
  readonly isFolded: boolean;
  /** Each is one block, never cut in two. */
  readonly blocks: readonly string[];
}

interface Entry {
  readonly group: string;
  readonly message: string;
  readonly location: Location;
}

/** Verdicts for a reviewer: breaking changes by operation or type, then everything else folded. The first line marks the comment that has them. */
export function formatMarkdown(verdicts: readonly Verdict[], folder: string): string {
  const findings = verdicts.flatMap((verdict) => verdict.findings);
  const errors = findings.filter(({ severity }) => severity === 'error');
  const breaks = errors.filter(({ subject }) => subject !== undefined);
  const allowed = verdicts.flatMap(allowedChanges);
  const ofLabel = (wanted: string) =>
    allowed.filter(({ label }) => label === wanted).map(({ change }) => ofChange(change));
  const entries = (title: string, list: readonly Entry[], isFolded = true): Section => ({
    title: `${title} (${list.length})`,
    isFolded,
    blocks: grouped(list, folder),
  });
  const sections = [
    entries('Breaking changes', breaks.map(ofChange), false),
    entries('Errors', errors.filter((one) => !breaks.includes(one)).map(ofFinding), false),
    entries('Waived', ofLabel('waived')),
    entries('Major changes, which a new version allows', ofLabel('major')),
    entries('Minor changes', ofLabel('minor')),
    entries('Patches', ofLabel('patch')),
    entries('Warnings', findings.filter(({ severity }) => severity === 'warning').map(ofFinding)),
  ];
  const checks = {
    title: 'Checks',
    isFolded: true,
    blocks: [['| | | |', '| - | - | - |', ...verdicts.map(row)].join('\n')],
  };
  const head = `<!-- lockstep contract ${folder.replaceAll('--', '- -')} -->\n## ${headline(verdicts, breaks.length, errors.length)}\n${since(verdicts)}`;
  return [...sections.filter(({ blocks }) => blocks.length > 0), checks].reduce(
    (text, section) => text + printed(section, (MAX_LENGTH - text.length) * SHARE),
    head,
  );
}

/** What the changes are held against, and how many they are. */
const since = (verdicts: readonly Verdict[]): string =>
  verdicts
    .map(({ piece, status, summary }) =>
      piece === 'changes' && status !== 'not-run' ? `\n${escaped(summary)}.\n` : '',
    )
    .join('');

function headline(verdicts: readonly Verdict[], breaks: number, errors: number): string {
  if (breaks > 0) return `❌ The contract breaks clients in ${breaks} ${breaks === 1 ? 'place' : 'places'}`;
  if (errors > 0) return `❌ The contract has ${errors} ${errors === 1 ? 'error' : 'errors'}`;
  if (verdicts.some((verdict) => verdict.status === 'not-run' && verdict.isBlocked))
    return '❌ The contract could not be checked';
  return '✅ The contract breaks nobody';
}

/** Said by the heading. */
const OF_BREAK = / This breaks clients of \S+\.$/;

const ofFinding = ({ rule, message, location }: Finding): Entry => ({ group: rule, message, location });
const ofChange = ({
  subject = '',
  message,
  location,
}: Pick<Change, 'message' | 'location'> & { subject?: string }): Entry => ({
  group: thingOf(subject),
  message: message.replace(OF_BREAK, ''),
  location,
});

/** The operation, type or root field that a subject is of: `Order` of `Order.note`, `Query.orders` of `Query.orders.first`. */
const thingOf = (subject: string): string =>
  /^(?:(?:Query|Mutation|Subscription)\.[^.]+|[\w$-]+(?=\.|$))/.exec(subject)?.[0] ?? subject;

function grouped(entries: readonly Entry[], folder: string): readonly string[] {
  return [...Map.groupBy(entries, ({ group }) => group)].map(([group, own]) => {
    const lines = own.slice(0, MAX_ENTRIES).map(({ message, location }) => {
      const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
      return `- ${code(`${pathOf(folder, location)}:${location.line}`)} ${escaped(text)}`;
    });
    const more = own.length > MAX_ENTRIES ? [`- and ${own.length - MAX_ENTRIES} more`] : [];
    return [`**${code(group)}**`, '', ...lines, ...more].join('\n');
  });
}

/** As many blocks as there is space for, and the number of the rest. */
function printed({ title, isFolded, blocks }: Section, space: number): string {
  let left = space;
  const fitting = blocks.findIndex((block) => {
    left -= block.length + 2;
    return left < 0;
  });
  const shown = fitting < 0 ? blocks : blocks.slice(0, fitting);
  const more = blocks.length > shown.length ? [`…and ${blocks.length - shown.length} more of these groups.`] : [];
  const body = [...shown, ...more].join('\n\n');
  if (!isFolded) return `\n### ${title}\n\n${body}\n`;
  return `\n<details><summary>${title}</summary>\n\n${body}\n\n</details>\n`;
}

const row = ({ status, piece, summary }: Verdict): string =>
  `| ${MARKS[status]} | ${piece} | ${status === 'not-run' ? 'not run: ' : ''}${escaped(summary)} |`;

/** Words of a contract as words: no markup but code, no mentions, no links to issues. */
const escaped = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .split(/(`[^`]+`)/)
    .map((part, i) =>
      i % 2 === 1
        ? part.replaceAll('|', '¦')
        : part.replace(/[\\`*_{}[\]<>~|!&]/g, '\\$&').replace(/[@#]/g, '$&&#8203;'),
    )
    .join('');

function code(text: string): string {
  const ticks = '`'.repeat(1 + Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length)));
  return ticks.length === 1 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RuleTable, RuleText } from '../../findings/rule-text.ts';
import { SDL_RULES } from '../../graphql/parity/check-sdl.ts';
import { NAME_COLLISION } from '../../graphql/parity/collision.ts';
import { upperFirst } from '../../model/naming.ts';
import { ASPECTS } from '../../model/parity-row.ts';
import { includeRule } from '../include-rule.ts';
import { CONVENTIONS } from '../rules.ts';
import { TOOL_RULES } from '../tool-rules.ts';
import { ACCESS_TEST_TEXTS } from './access-test-texts.ts';
import { BREAKING_GRAPHQL_TEXTS } from './breaking-graphql-texts.ts';
import { CHANGE_TEXTS } from './change-texts.ts';
import { DOCUMENT_TEXTS } from './document-texts.ts';
import { MIGRATION_TEXTS } from './migration-texts.ts';

function textsOf(table: RuleTable, prefix = ''): readonly RuleText[] {
  return Object.entries(table).map(([name, [summary, advice]]) => ({ id: prefix + name, summary, advice }));
}

/** The rules by the check that finds them, in the order of their page. */
export const RULE_GROUPS: Readonly<Record<string, readonly RuleText[]>> = {
  'The documents': textsOf(DOCUMENT_TEXTS),
  ...CONVENTIONS,
  'Access tests': textsOf(ACCESS_TEST_TEXTS),
  'Migration files': textsOf(MIGRATION_TEXTS),
  'The conventions of GraphQL, and parity': [...SDL_RULES, NAME_COLLISION, ...textsOf(ASPECTS, 'parity-')],
  'Related rows': [includeRule],
  'What agents are offered': TOOL_RULES,
  'Drift, changes and versions': textsOf(CHANGE_TEXTS),
  'Changes that break GraphQL clients': textsOf(BREAKING_GRAPHQL_TEXTS),
};

const TEXTS = new Map(Object.values(RULE_GROUPS).flatMap((texts) => texts.map((text) => [text.id, text])));

const REDOCLY = /^redocly\/(.+)$/;
const REDOCLY_RULES = 'https://redocly.com/docs/cli/rules/oas/';

/** The text of any rule, and the address of its page if the rule is not ours; a rule that is not declared has its name in words. */
export function ruleTextOf(rule: string): RuleText & { readonly uri?: string } {
  const redocly = REDOCLY.exec(rule)?.[1];
  if (redocly !== undefined) {
    const advice = 'A rule for OpenAPI documents, checked by Redocly; `redocly.yaml` may configure it.';
    return { id: rule, summary: inWords(redocly), advice, uri: REDOCLY_RULES + redocly };
  }
  const unknown = { id: rule, summary: inWords(rule), advice: 'The message of the finding explains it.' };
  return TEXTS.get(rule) ?? unknown;
}

/** `no-unused-components` → "No unused components." */
function inWords(name: string): string {
  return `${upperFirst(name.replaceAll(/[-/]/g, ' '))}.`;
}

const PAGE = 'docs/rules.md';

/** Where a rule is documented: an address, or a file relative to the working directory with an anchor. */
export function rulePage(rule: string): string {
  return ruleTextOf(rule).uri ?? `${relative(process.cwd(), pageFile()).replaceAll('\\', '/')}#${anchorOf(rule)}`;
}

/** From `src/` of the repository, or from `lib/src/` of the package. */
function pageFile(): string {
  const places = ['../../../../', '../../../../../'].map((root) =>
    fileURLToPath(new URL(root + PAGE, import.meta.url)),
  );
  return places.find((path) => existsSync(path)) ?? PAGE;
}

/** As renderers of Markdown make it of the heading. */
const anchorOf = (rule: string): string => rule.replaceAll('/', '');

/** The sections of the page: one heading for each rule. */
export const rulesMarkdown = (): string =>
  Object.entries(RULE_GROUPS)
    .map(([title, texts]) => `## ${title}\n\n${texts.map(section).join('\n\n')}\n`)
    .join('\n');

const section = ({ id, summary, advice }: RuleText): string => `### ${id}\n\n${inLines(`${summary} ${advice}`)}`;

const inLines = (text: string): string => text.replaceAll(/(.{1,138})(?: |$)/g, '$1\n').trimEnd();

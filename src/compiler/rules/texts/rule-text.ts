import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACCESS_TEST_TEXTS } from './access-test-texts.ts';
import { ACCESS_TEXTS } from './access-texts.ts';
import { BREAKING_GRAPHQL_TEXTS } from './breaking-graphql-texts.ts';
import { CHANGE_TEXTS } from './change-texts.ts';
import { CONVENTION_TEXTS } from './convention-texts.ts';
import { DOCUMENT_TEXTS } from './document-texts.ts';
import { ERROR_TEXTS } from './error-texts.ts';
import { GRAPHQL_TEXTS } from './graphql-texts.ts';
import { MIGRATION_TEXTS } from './migration-texts.ts';
import type { RuleTable } from './rule-table.ts';
import { SCHEMA_TEXTS } from './schema-texts.ts';

/** What a rule is about, for people who meet it in a finding. */
export interface RuleText {
  /** What it demands, in one sentence. */
  readonly summary: string;
  /** Why, or what to write instead. */
  readonly description: string;
  /** The page of a rule that is not ours. */
  readonly uri?: string;
}

/** The rules by the check that finds them, in the order of their page. */
export const RULE_GROUPS: Readonly<Record<string, RuleTable>> = {
  'The documents': DOCUMENT_TEXTS,
  'The conventions of OpenAPI': CONVENTION_TEXTS,
  'The catalogue of errors': ERROR_TEXTS,
  Schemas: SCHEMA_TEXTS,
  'Who may see and change which rows': ACCESS_TEXTS,
  'Tests of access': ACCESS_TEST_TEXTS,
  'Files of migrations': MIGRATION_TEXTS,
  'The conventions of GraphQL, and parity': GRAPHQL_TEXTS,
  'Drift, changes and versions': CHANGE_TEXTS,
  'Changes that break GraphQL clients': BREAKING_GRAPHQL_TEXTS,
};

const TEXTS: RuleTable = Object.assign({}, ...Object.values(RULE_GROUPS));

const REDOCLY = /^redocly\/(.+)$/;
const REDOCLY_RULES = 'https://redocly.com/docs/cli/rules/oas/';

/** The text of any rule; one that is not in the tables has its name in words. */
export function ruleTextOf(rule: string): RuleText {
  const redocly = REDOCLY.exec(rule)?.[1];
  if (redocly !== undefined) {
    const description = 'A rule for OpenAPI documents, checked by Redocly; `redocly.yaml` may configure it.';
    return { summary: inWords(redocly), description, uri: REDOCLY_RULES + redocly };
  }
  const [summary, description] = TEXTS[rule] ?? [inWords(rule), 'The message of the finding says what is wrong.'];
  return { summary, description };
}

/** `no-unused-components` → "No unused components." */
function inWords(name: string): string {
  const words = name.replaceAll(/[-/]/g, ' ');
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
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
    .map(([title, texts]) => `## ${title}\n\n${Object.entries(texts).map(section).join('\n\n')}\n`)
    .join('\n');

const section = ([rule, [summary, description]]: [string, readonly [string, string]]): string =>
  `### ${rule}\n\n${summary} ${description}`;

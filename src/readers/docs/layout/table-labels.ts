/** The headings of tables that many pages have, by the class of these. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  answers: ['Status', 'Meaning', 'Body'],
  arguments: ['Argument', 'Type', 'Rules', 'Meaning'],
  errors: ['Code', 'Status', 'Meaning', 'May succeed later'],
  facts: ['Aspect', 'Fact', 'REST', 'GraphQL', 'Same'],
  fields: ['Field', 'Type', 'Rules', 'Meaning'],
  headers: ['Field', 'Type', 'Meaning'],
  operations: ['Request', 'Operation', 'What it does'],
  parameters: ['Parameter', 'In', 'Type', 'Rules', 'Meaning'],
  properties: ['Property', 'Type', 'Rules', 'Meaning'],
  roots: ['Field', 'Answers', 'What it does'],
};

/** The class of a table with these headings; undefined: its cells name them. */
export const classOf = (headings: readonly string[]): string | undefined =>
  Object.keys(TABLES).find((name) => TABLES[name]?.join() === headings.join());

/** What cells are called on a narrow screen, as styles. */
export const labelStyles = (): string =>
  `@media (max-width: 44rem) {\n${Object.entries(TABLES)
    .flatMap(([name, headings]) =>
      headings.map((heading, at) => `.${name} td:nth-child(${at + 1})::before { content: "${heading}"; }\n`),
    )
    .join('')}}\n`;
